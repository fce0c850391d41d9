/* A program that uses libcurl and knows nothing of Inlens; built a second time as a module on the GnuTLS
 * libcurl.
 *
 *   curl_host <part> <address> <certificate> [<module>]
 *
 * Prints what it got, then "held", and ends when its standard input does. */
#define _GNU_SOURCE /* RTLD_DEEPBIND */
#include <curl/curl.h>
#include <dlfcn.h>
#include <inlens/inlens.h>
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

/* Lists of headers: who holds them, and until when. */

static void print_list(const struct curl_slist* list) {
  for (; list != NULL; list = list->next) printf("| %s\n", list->data);
}

struct inside {
  CURL* easy;
  CURL* copy;
  CURL* later; /* another copy, used when they are switched off */
  struct curl_slist* next; /* takes the place of the list under way */
};

static size_t copy_inside(char* data, size_t size, size_t count, void* user) {
  struct inside* inside = user;
  size_t received = 0;
  inside->copy = curl_easy_duphandle(inside->easy);
  inside->later = curl_easy_duphandle(inside->easy);
  curl_easy_setopt(inside->easy, CURLOPT_HTTPHEADER, inside->next);
  return ignore(data, size, count, &received);
}

static void get(CURL* easy, const char* base, const char* path, size_t* received) {
  *received = 0;
  curl_easy_setopt(easy, CURLOPT_URL, at(base, path));
  run(easy, path, received);
}

static void with_lists(CURL* easy, const char* base, size_t* received) {
  struct curl_slist* own =
      curl_slist_append(curl_slist_append(NULL, "X-Of-The-Host: 1"), "Accept: text/plain");
  struct curl_slist* mine = curl_slist_append(NULL, "TraceParent: 00-of-the-host");
  mine = curl_slist_append(mine, "x-inlens-id: of-the-host");
  get(easy, base, "/ok?no-list", received);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, own);
  get(easy, base, "/redirect", received);
  print_list(own);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, mine);
  get(easy, base, "/ok?mine", received);
  print_list(mine);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, NULL);
  curl_slist_free_all(own);
  curl_slist_free_all(mine);
  get(easy, base, "/ok?freed", received);
  curl_easy_reset(easy);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, received);
  get(easy, base, "/ok?reset", received);
}

/* Transfers to which nothing is added. */
static void addresses_in_other_ways(const char* base) {
  size_t received;
  CURLU* parts = curl_url();
  curl_url_set(parts, CURLUPART_URL, at(base, "/ok?parts"), 0);
  CURL* easy = easy_for("", "", &received);
  curl_easy_setopt(easy, CURLOPT_CURLU, parts);
  curl_easy_setopt(easy, CURLOPT_URL, NULL);
  run(easy, "parts", &received);
  curl_easy_setopt(easy, CURLOPT_CURLU, NULL);
  curl_url_cleanup(parts);
  get(easy, strstr(base, "://") + 3, "/ok?no-scheme", &received);
  curl_easy_cleanup(easy);
}

static void signed_or_not_sent(const char* base) {
  size_t received;
  CURL* easy = easy_for(base, "", &received);
  curl_easy_setopt(easy, CURLOPT_AWS_SIGV4, "aws:amz:somewhere:something");
  curl_easy_setopt(easy, CURLOPT_USERPWD, "a:b");
  get(easy, base, "/ok?signed", &received);
  curl_easy_cleanup(easy);
  easy = easy_for(base, "", &received);
  curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
  run(easy, "connected", &received);
  curl_easy_cleanup(easy);
}

/* The library's own functions: nobody in front of them sees the handle and its list. */
static void made_unseen(const char* base) {
  void* library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_NOLOAD);
  CURL* (*init)(void) = (CURL * (*)(void)) dlsym(library, "curl_easy_init");
  CURLcode (*setopt)(CURL*, CURLoption, ...) =
      (CURLcode(*)(CURL*, CURLoption, ...))dlsym(library, "curl_easy_setopt");
  struct curl_slist* own = curl_slist_append(NULL, "X-Unseen: 1");
  size_t received;
  CURL* easy = init();
  setopt(easy, CURLOPT_HTTPHEADER, own);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &received);
  curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
  get(easy, base, "/ok?unseen", &received);
  curl_easy_cleanup(easy);
  curl_slist_free_all(own);
  dlclose(library);
}

static void part_headers(const char* base, const char* certificate) {
  size_t received, copied;
  CURL* easy = easy_for(base, certificate, &received);
  with_lists(easy, base, &received);
  addresses_in_other_ways(base);
  signed_or_not_sent(base);
  made_unseen(base);
  struct curl_slist* first = curl_slist_append(NULL, "X-First: 1");
  struct curl_slist* second = curl_slist_append(NULL, "X-Second: 1");
  struct inside inside = {easy, NULL, NULL, second};
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, first);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, copy_inside);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &inside);
  get(easy, base, "/ok?copied-inside", &received);
  CURL* copy = inside.copy;
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ignore);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &received);
  curl_easy_setopt(copy, CURLOPT_WRITEFUNCTION, ignore);
  curl_easy_setopt(copy, CURLOPT_WRITEDATA, &copied);
  get(copy, base, "/ok?copy", &copied);
  get(easy, base, "/ok?second", &received);
  printf("held\n");
  fflush(stdout);
  getchar(); /* until the test has switched them off */
  get(easy, base, "/ok?second", &received);
  curl_easy_cleanup(easy);
  get(copy, base, "/ok?copy", &copied);
  curl_easy_setopt(inside.later, CURLOPT_WRITEFUNCTION, ignore);
  curl_easy_setopt(inside.later, CURLOPT_WRITEDATA, &copied);
  get(inside.later, base, "/ok?later", &copied);
  curl_easy_cleanup(inside.later);
  print_list(first);
  print_list(second);
  curl_easy_cleanup(copy);
  curl_slist_free_all(first);
  curl_slist_free_all(second);
}

/* In a request that came with a trace, if there is an agent in the process. */
static void part_traced(const char* base, const char* certificate) {
  inlens_request (*begin)(const inlens_request_info*) =
      (inlens_request(*)(const inlens_request_info*))dlsym(RTLD_DEFAULT, "inlens_request_begin");
  inlens_request (*attach)(inlens_request) =
      (inlens_request(*)(inlens_request))dlsym(RTLD_DEFAULT, "inlens_request_attach");
  void (*end)(inlens_request, const inlens_request_result*) =
      (void (*)(inlens_request, const inlens_request_result*))dlsym(RTLD_DEFAULT, "inlens_request_end");
  size_t received[3];
  CURL* easy = easy_for(at(base, "/ok?started"), certificate, &received[0]);
  run(easy, "started", &received[0]); /* starts the agent */
  static const char traceparent[] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
  inlens_request_info info = {.struct_size = sizeof info,
                              .traceparent = {traceparent, sizeof traceparent - 1}};
  inlens_request request = begin != NULL ? begin(&info) : INLENS_NONE;
  if (attach != NULL) attach(request);
  get(easy, base, "/ok?easy", &received[0]);
  curl_easy_cleanup(easy);
  CURLM* multi = curl_multi_init();
  CURL* easies[3];
  const char* paths[] = {"/redirect?multi", "/ok?multi", "/hang?removed"};
  struct curl_slist* own = curl_slist_append(NULL, "X-Of-The-Host: 1");
  for (int i = 0; i < 3; ++i) {
    easies[i] = easy_for(at(base, paths[i]), certificate, &received[i]);
    if (i != 1) curl_easy_setopt(easies[i], CURLOPT_HTTPHEADER, own);
    curl_multi_add_handle(multi, easies[i]);
  }
  int running = 3, left;
  while (running > 1) {
    curl_multi_perform(multi, &running);
    curl_multi_poll(multi, NULL, 0, 100, NULL);
  }
  while (curl_multi_info_read(multi, &left) != NULL) continue;
  for (int i = 0; i < 3; ++i) curl_multi_remove_handle(multi, easies[i]);
  print_list(own);
  for (int i = 0; i < 3; ++i) curl_easy_setopt(easies[i], CURLOPT_HTTPHEADER, NULL);
  curl_slist_free_all(own);
  for (int i = 0; i < 3; ++i) {
    get(easies[i], base, "/ok?after", &received[i]);
    curl_easy_cleanup(easies[i]);
  }
  curl_multi_cleanup(multi);
  if (end != NULL) end(request, NULL);
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
  else if (!strcmp(part, "headers"))
    part_headers(words[2], words[3]);
  else if (!strcmp(part, "traced"))
    part_traced(words[2], words[3]);
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
