/* A program that uses libcurl and knows nothing of Inlens; built a second time as a module on the GnuTLS
 * libcurl.
 *
 *   curl_host <part> <address> <certificate> [<module>]
 *
 * Prints what it got, then "held", and ends when its standard input does. */
#define _GNU_SOURCE /* RTLD_DEEPBIND */
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t ignore(char* data, size_t size, size_t count, void* user) {
  (void)data;
  *(size_t*)user += size * count;
  return size * count;
}

static CURL* easy_for(const char* url, const char* certificate, size_t* received) {
  CURL* easy = curl_easy_init();
  *received = 0;
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, received);
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(easy, CURLOPT_CAINFO, certificate);
  curl_easy_setopt(easy, CURLOPT_MAX_RECV_SPEED_LARGE, (curl_off_t)1 << 40);
  return easy;
}

static void run(CURL* easy, const char* what, const size_t* received) {
  const CURLcode code = curl_easy_perform(easy);
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  printf("%s: %d status %ld bytes %zu\n", what, code, status, *received);
}

#ifdef INLENS_AS_MODULE
__attribute__((visibility("default"))) void module_get(const char* url, const char* certificate) {
  size_t received;
  CURL* easy = easy_for(url, certificate, &received);
  run(easy, strstr(curl_version(), "GnuTLS") ? "module on GnuTLS" : "module", &received);
  curl_easy_cleanup(easy);
}
#else

static char* at(const char* base, const char* path) {
  static char url[4][512];
  static int next;
  next = (next + 1) % 4;
  snprintf(url[next], sizeof(url[next]), "%s%s", base, path);
  return url[next];
}

static void part_easy(const char* base, const char* certificate) {
  size_t received;
  CURL* easy = easy_for(at(base, "/ok?token=a-secret-in-the-address&page=1"), certificate, &received);
  run(easy, "get", &received);
  curl_easy_setopt(easy, CURLOPT_URL, at(base, "/missing"));
  run(easy, "missing", &received);
  curl_easy_setopt(easy, CURLOPT_URL, at(base, "/redirect"));
  run(easy, "redirect", &received);
  curl_easy_setopt(easy, CURLOPT_URL, at(base, "/echo"));
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, "twelve bytes");
  run(easy, "post", &received);
  CURL* copy = curl_easy_duphandle(easy);
  run(copy, "copy", &received);
  curl_easy_cleanup(copy);
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, "PATCH");
  run(easy, "patch", &received);
  curl_easy_reset(easy);
  curl_easy_setopt(easy, CURLOPT_URL, at(base, "/ok"));
  curl_easy_setopt(easy, CURLOPT_CAINFO, certificate);
  curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  run(easy, "head", &received);
  curl_easy_cleanup(easy);
  CURLU* parts = curl_url();
  curl_url_set(parts, CURLUPART_URL, at(base, "/ok?by=parts"), 0);
  easy = easy_for("", certificate, &received);
  curl_easy_setopt(easy, CURLOPT_URL, NULL);
  curl_easy_setopt(easy, CURLOPT_CURLU, parts);
  run(easy, "parts", &received);
  curl_easy_cleanup(easy);
  curl_url_cleanup(parts);
}

static void part_multi(const char* base, const char* certificate) {
  CURLM* multi = curl_multi_init();
  CURL* easy[6];
  size_t received[6];
  const char* paths[] = {"/ok", "/missing", "/redirect", "/slow", "/ok?second=1", "/hang"};
  for (int i = 0; i < 6; ++i) {
    easy[i] = easy_for(at(base, paths[i]), certificate, &received[i]);
    curl_multi_add_handle(multi, easy[i]);
  }
  int running = 6, done = 0;
  while (running > 1) {
    curl_multi_perform(multi, &running);
    curl_multi_poll(multi, NULL, 0, 100, NULL);
  }
  CURLMsg* message;
  int left;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) done += message->data.result == CURLE_OK;
  printf("done %d of 6\n", done);
  for (int i = 0; i < 6; ++i) {
    curl_multi_remove_handle(multi, easy[i]);
    curl_easy_cleanup(easy[i]);
  }
  curl_multi_cleanup(multi);
}

static const char* nested_url;

static size_t ask_inside(char* data, size_t size, size_t count, void* user) {
  size_t received;
  CURL* easy = easy_for(nested_url, "", &received);
  run(easy, "inside", &received);
  curl_easy_cleanup(easy);
  return ignore(data, size, count, user);
}

static void part_nested(const char* base, const char* certificate) {
  size_t received;
  nested_url = at(base, "/ok?inside=1");
  CURL* easy = easy_for(at(base, "/ok"), certificate, &received);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ask_inside);
  run(easy, "outside", &received);
  curl_easy_cleanup(easy);
}

static void part_flavours(const char* base, const char* certificate, const char* module, int how) {
  void* loaded = dlopen(module, RTLD_NOW | RTLD_LOCAL | how);
  if (loaded == NULL) printf("%s\n", dlerror());
  void (*module_get)(const char*, const char*) =
      (void (*)(const char*, const char*))dlsym(loaded, "module_get");
  for (int i = 0; i < 3; ++i) {
    size_t received;
    CURL* easy = easy_for(at(base, "/ok"), certificate, &received);
    run(easy, strstr(curl_version(), "OpenSSL") ? "host on OpenSSL" : "host", &received);
    module_get(at(base, "/ok"), certificate);
    curl_easy_cleanup(easy);
  }
}

/* For counting what one transfer and one option cost. */
static void part_cost(const char* base, long times) {
  size_t received;
  CURL* easy = easy_for(base, "", &received);
  for (long i = 0; i < times; ++i) {
    curl_easy_setopt(easy, CURLOPT_URL, base);
    curl_easy_perform(easy);
  }
  curl_easy_cleanup(easy);
}

int main(int count, char** words) {
  if (count < 4) return 2;
  const char* part = words[1];
  curl_global_init(CURL_GLOBAL_ALL);
  if (!strcmp(part, "easy"))
    part_easy(words[2], words[3]);
  else if (!strcmp(part, "multi"))
    part_multi(words[2], words[3]);
  else if (!strcmp(part, "nested"))
    part_nested(words[2], words[3]);
  else if (!strcmp(part, "flavours") && count > 4)
    part_flavours(words[2], words[3], words[4], 0);
  else if (!strcmp(part, "deep") && count > 4)
    part_flavours(words[2], words[3], words[4], RTLD_DEEPBIND);
  else if (!strcmp(part, "cost"))
    part_cost(words[2], atol(words[3]));
  else
    return 2;
  printf("held\n");
  fflush(stdout);
  while (getchar() != EOF) continue;
  return 0;
}
#endif
