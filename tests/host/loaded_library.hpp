// The shared library as a plug-in host has it: opened by path, called through the addresses it gives.
#pragma once

#include <dlfcn.h>
#include <inlens/inlens.h>

#include <string>

namespace host_test {

class LoadedLibrary {
 public:
  LoadedLibrary() : handle_(::dlopen(INLENS_LIBRARY, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) return;
    find(start, "inlens_start");
    find(stop, "inlens_stop");
    find(request_begin, "inlens_request_begin");
    find(request_end, "inlens_request_end");
    find(figures_get, "inlens_figures_get");
  }
  ~LoadedLibrary() { close(); }
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;

  explicit operator bool() const { return handle_ != nullptr; }
  void close() {
    if (handle_ != nullptr) ::dlclose(handle_);
    handle_ = nullptr;
  }

  inlens_status start_on_any_port() const {
    static const std::string json = R"({"console": {"port": 0}})";
    inlens_start_options options{};
    options.struct_size = sizeof options;
    options.abi_version = INLENS_ABI_VERSION;
    options.config_json = {json.data(), json.size()};
    return start(&options);
  }

  // A busy machine may not have let the agent's threads leave in time, which is no failure.
  bool stopped() const {
    const inlens_status status = stop();
    return status == INLENS_OK || status == INLENS_E_TIMEOUT;
  }

  void make_request() const {
    inlens_request_info info{};
    info.struct_size = sizeof info;
    info.method = {"GET", 3};
    info.target = {"/", 1};
    request_end(request_begin(&info), nullptr);
  }

  inlens_figures figures() const {
    inlens_figures out{};
    out.struct_size = sizeof out;
    figures_get(&out);
    return out;
  }

  decltype(&inlens_start) start = nullptr;
  decltype(&inlens_stop) stop = nullptr;
  decltype(&inlens_request_begin) request_begin = nullptr;
  decltype(&inlens_request_end) request_end = nullptr;
  decltype(&inlens_figures_get) figures_get = nullptr;

 private:
  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(handle_, name));
  }
  void* handle_;
};

}  // namespace host_test
