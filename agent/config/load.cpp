// Puts the layers of settings on top of each other: load_config() and apply_override() of config.hpp.
#include <algorithm>

#include "agent/config/config.hpp"
#include "agent/config/json.hpp"
#include "agent/config/json_text.hpp"
#include "agent/config/settings_table.hpp"
#include "agent/config/text.hpp"
#include "agent/config/value.hpp"

namespace inlens {
namespace {

using config::Parsed;
using config::Setting;
using config::TextError;
using Json = nlohmann::json;

constexpr std::string_view kStartOptions = "start options";

bool is_group(std::string_view key) {
  const auto all = config::settings();
  return std::any_of(all.begin(), all.end(), [&](const Setting& setting) {
    return setting.key.size() > key.size() && setting.key.starts_with(key) && setting.key[key.size()] == '.';
  });
}

class Loader {
 public:
  explicit Loader(const LoadOptions& options) : options_(options) {}

  LoadResult load() {
    load_file();
    put_text("server.name", options_.server_name, Origin::kOptions, std::string(kStartOptions));
    put_text("server.release", options_.release, Origin::kOptions, std::string(kStartOptions));
    if (!options_.json.empty()) put_json_text(options_.json, Origin::kOptions, std::string(kStartOptions));
    load_environment();
    return std::move(result_);
  }

 private:
  void load_file() {
    result_.file = options_.file;
    if (result_.file.empty() && options_.environment) {
      result_.file = options_.environment("INLENS_CONFIG").value_or("");
    }
    if (result_.file.empty()) return;
    const std::string where = config::printable(result_.file, 256);
    auto text = config::read_file(result_.file);
    if (const auto* error = std::get_if<TextError>(&text)) {
      return turn_off(ProblemKind::kUnreadable, Origin::kFile, where, error->message);
    }
    put_json_text(std::get<std::string>(text), Origin::kFile, where);
  }

  void load_environment() {
    if (!options_.environment) return;
    for (const Setting& setting : config::settings()) {
      const std::string name = config::environment_name(setting.key);
      put_text(setting.key, options_.environment(name).value_or(""), Origin::kEnvironment, name);
    }
  }

  void put_json_text(std::string_view text, Origin origin, const std::string& where) {
    const auto parsed = config::parse_json(text);
    if (const auto* error = std::get_if<TextError>(&parsed)) {
      return turn_off(ProblemKind::kMalformed, origin, where, error->message);
    }
    const Json& json = std::get<Json>(parsed);
    if (!json.is_object()) return turn_off(ProblemKind::kMalformed, origin, where, "is not a JSON object");
    for (const auto& [key, value] : json.items()) put_entry(key, value, origin, where);
  }

  void put_entry(const std::string& key, const Json& value, Origin origin, const std::string& where) {
    if (value.is_object() && is_group(key)) {
      for (const auto& [name, inner] : value.items()) {
        put_entry(std::string(key).append(1, '.').append(name), inner, origin, where);
      }
    } else if (const auto index = config::find_setting(key)) {
      put(*index, config::parse_json_value(config::settings()[*index], value), origin, where);
    } else {
      refuse_key(key, origin, where);
    }
  }

  // An empty text is "not given".
  void put_text(std::string_view key, const std::string& text, Origin origin, const std::string& where) {
    if (text.empty()) return;
    const std::size_t index = *config::find_setting(key);
    put(index, config::parse_text_value(config::settings()[index], text), origin, where);
  }

  void put(std::size_t index, const Parsed& parsed, Origin origin, const std::string& where) {
    const Setting& setting = config::settings()[index];
    if (parsed.value) {
      setting.write(result_.config, *parsed.value);
      result_.origins[index] = origin;
      return;
    }
    if (setting.key == "collect.level") set_level_off(origin);
    report({ProblemKind::kNotAllowed, origin, where, std::string(setting.key),
            parsed.given + " is not allowed", config::allowed_words(setting),
            config::value_words(setting, setting.read(result_.config))});
  }

  void refuse_key(const std::string& key, Origin origin, const std::string& where) {
    if (result_.problems.size() >= kMaxProblems) return;
    std::string message = "is not a setting";
    if (is_group(key)) {
      message = "is a group of settings, not a value";
    } else if (const std::string_view nearest = config::nearest_key(key); !nearest.empty()) {
      message.append("; did you mean ").append(nearest).append("?");
    }
    report({ProblemKind::kUnknownKey, origin, where, config::printable(key), std::move(message), {}, {}});
  }

  // What the text wanted cannot be known, perhaps that nothing be recorded.
  void turn_off(ProblemKind kind, Origin origin, const std::string& where, const std::string& message) {
    set_level_off(origin);
    report({kind, origin, where, {}, message, {}, "collect.level off"});
  }

  void set_level_off(Origin origin) {
    result_.config.collect.level = Level::kOff;
    result_.origins[*config::find_setting("collect.level")] = origin;
  }

  void report(Problem problem) {
    const std::size_t count = result_.problems.size();
    if (count + 1 < kMaxProblems) {
      result_.problems.push_back(std::move(problem));
    } else if (count + 1 == kMaxProblems) {
      problem.key.clear();
      result_.problems.push_back(
          {problem.kind, problem.origin, problem.where, {}, "has further problems", {}, {}});
    }
  }

  const LoadOptions& options_;
  LoadResult result_;
};

Problem override_problem(ProblemKind kind, std::string_view key, std::string message) {
  return {kind, Origin::kConsole, "console", config::printable(key), std::move(message), {}, {}};
}

std::variant<LoadResult, Problem> try_override(const LoadResult& current, std::string_view key,
                                               std::string_view json_value) {
  const auto index = config::find_setting(key);
  if (!index) return override_problem(ProblemKind::kUnknownKey, key, "is not a setting");
  const Setting& setting = config::settings()[*index];
  if (!setting.live) {
    return override_problem(ProblemKind::kNotLive, key, "cannot be changed while the server runs");
  }
  const auto json = config::parse_json(json_value);
  if (const auto* error = std::get_if<TextError>(&json)) {
    return override_problem(ProblemKind::kMalformed, key, "the value " + error->message);
  }
  const Parsed parsed = config::parse_json_value(setting, std::get<Json>(json));
  if (!parsed.value) {
    Problem problem = override_problem(ProblemKind::kNotAllowed, key, parsed.given + " is not allowed");
    problem.allowed = config::allowed_words(setting);
    problem.used = config::value_words(setting, setting.read(current.config));
    return problem;
  }
  LoadResult changed = current;
  setting.write(changed.config, *parsed.value);
  changed.origins[*index] = Origin::kConsole;
  return changed;
}

}  // namespace

LoadResult load_config(const LoadOptions& options) noexcept {
  try {
    return Loader(options).load();
  } catch (...) {
    // Out of memory, or the environment's function threw.
    LoadResult result;
    result.config.collect.level = Level::kOff;
    return result;
  }
}

std::variant<LoadResult, Problem> apply_override(const LoadResult& current, std::string_view key,
                                                 std::string_view json_value) noexcept {
  try {
    return try_override(current, key, json_value);
  } catch (...) {
    return Problem{ProblemKind::kNotAllowed, Origin::kConsole, "console", {}, "out of memory", {}, {}};
  }
}

}  // namespace inlens
