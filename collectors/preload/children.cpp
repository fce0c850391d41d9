// `inlens run --no-children`: programs that this one executes are started without us.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

namespace {

bool is_separator(char c) {
  return c == ':' || c == ' ';
}

// Takes the last occurrence of `path` out of the loader's list, in place.
void take_out(char* list, const char* path) {
  const size_t size = strlen(path);
  char* last = nullptr;
  for (char* at = list; (at = strstr(at, path)) != nullptr; at += size) {
    const bool begins = at == list || is_separator(at[-1]);
    if (begins && (at[size] == '\0' || is_separator(at[size]))) last = at;
  }
  if (last == nullptr) return;
  char* end = last + size;
  if (last != list)
    --last;  // with the separator before it
  else if (*end != '\0')
    ++end;
  memmove(last, end, strlen(end) + 1);
}

// Before main and before the program's other threads.
[[gnu::constructor]] void leave_the_environment() {
  if (getenv("INLENS_NO_CHILDREN") == nullptr) return;
  unsetenv("INLENS_NO_CHILDREN");
  const char* preload = getenv("LD_PRELOAD");
  const char* ours = getenv("INLENS_PRELOAD_LIBRARY");
  if (preload == nullptr || ours == nullptr) return;
  char* list = strdup(preload);
  if (list == nullptr) return;
  take_out(list, ours);
  if (*list == '\0')
    unsetenv("LD_PRELOAD");
  else
    setenv("LD_PRELOAD", list, 1);
  free(list);
}

}  // namespace
