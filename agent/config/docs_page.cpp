#include "agent/config/docs_page.hpp"

#include "agent/config/settings_table.hpp"
#include "agent/config/value.hpp"

namespace inlens::config {
namespace {

constexpr std::string_view kIntroduction = R"(# Configuration

<!-- Written by `inlens_config_docs` from the table of settings; change agent/config/settings_table.cpp instead. -->

Inlens runs without any configuration. Each setting can be given in five places; a later one beats an earlier one:

1. the default below;
2. a JSON file, named by the host at start or else by the environment variable `INLENS_CONFIG`;
3. JSON text that the host hands over at start (`config_json`);
4. an environment variable, named in the tables; an empty one counts as not given;
5. the console, for settings that can change while the server runs, until it stops.

A file may group the settings or name them in full; when it does both for one setting, the full name counts:

```json
{
  "collect": {"level": "standard"},
  "console": {"port": 9791, "hosts": ["admin.example.org"]},
  "bar.enabled": true
}
```

In an environment variable a list is separated by commas, and true or false may be written as 1 or 0, yes or no, on or
off:

```sh
INLENS_COLLECT_LEVEL=full INLENS_MASK_KEYS=customerNumber,iban INLENS_BAR_ENABLED=1 ./server
```

## When something is wrong

The server always starts. A value that is not allowed is passed over: what an earlier place said, or the default, stays
in force. One line in the agent's log and on the console's Agent page says where, which key and what is allowed:

```text
inlens.json: console.prot: is not a setting; did you mean console.port?
inlens.json: console.port: 99999 is not allowed (1–65535, or 0 for any free port); using 9790
```

When it cannot be known how much should be recorded, nothing is: a `collect.level` that is not known means `off`, and so
does a file that was named but cannot be read, is larger than 1 MB or is not a JSON object. The environment variable
`INLENS_COLLECT_LEVEL` still decides after that.
)";

std::string default_words(const Setting& setting) {
  if (setting.type == Type::kString && !setting.default_text.empty())
    return std::string(setting.default_text);
  return value_words(setting, setting.default_value());
}

std::string row(const Setting& setting) {
  const std::string plain = default_words(setting);
  const std::string value = plain == "empty" ? plain : '`' + plain + '`';
  const std::string secret = setting.secret ? " Never shown." : "";
  return "| `" + std::string(setting.key) + "` | " + value + " | " + allowed_words(setting) + " | " +
         (setting.live ? "at once" : "at start") + " | " + std::string(setting.description) + secret +
         "<br>`" + environment_name(setting.key) + "` |\n";
}

}  // namespace

std::string configuration_page() {
  std::string page(kIntroduction);
  std::string_view group;
  for (const Setting& setting : settings()) {
    const std::string_view its_group = setting.key.substr(0, setting.key.find('.'));
    if (its_group != group) {
      group = its_group;
      page.append("\n## ").append(group).append("\n\n");
      page += "| setting | default | allowed | takes effect | meaning, environment variable |\n";
      page += "|---|---|---|---|---|\n";
    }
    page += row(setting);
  }
  return page;
}

}  // namespace inlens::config
