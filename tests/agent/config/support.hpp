// What the configuration's tests share: loading from texts, and a file that removes itself.
#pragma once

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "agent/config/config.hpp"

namespace inlens::test {

using Variables = std::map<std::string, std::string>;

inline LoadOptions options_with(std::string json, Variables variables = {}) {
  LoadOptions options;
  options.json = std::move(json);
  options.environment = [variables = std::move(variables)](const std::string& name) {
    const auto at = variables.find(name);
    return at == variables.end() ? std::nullopt : std::optional(at->second);
  };
  return options;
}

inline LoadResult load_json(std::string json) {
  return load_config(options_with(std::move(json)));
}
inline LoadResult load_variables(Variables variables) {
  return load_config(options_with("", std::move(variables)));
}

// A new file with this content.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    char path[] = "/tmp/inlens-config-XXXXXX";
    const int fd = ::mkstemp(path);
    REQUIRE(fd >= 0);
    ::close(fd);
    path_ = path;
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { ::unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline LoadResult load_file(const std::string& path, Variables variables = {}) {
  LoadOptions options = options_with("", std::move(variables));
  options.file = path;
  return load_config(options);
}

}  // namespace inlens::test
