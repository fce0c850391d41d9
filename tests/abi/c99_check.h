/* c99_check.h: what the two halves of the C99 test share. */
#ifndef INLENS_C99_CHECK_H
#define INLENS_C99_CHECK_H

#include <errno.h>
#include <inlens/inlens.h>
#include <stdio.h>
#include <string.h>

extern int failures;

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                               \
    }                                                                           \
  } while (0)

#define KEEPS_ERRNO(call) \
  do {                    \
    errno = 77;           \
    call;                 \
    CHECK(errno == 77);   \
  } while (0)

static const inlens_str none = {NULL, 0};
static const inlens_str null_with_size = {NULL, 7};

static inline inlens_str str(const char* text) {
  inlens_str result;
  result.data = text;
  result.size = strlen(text);
  return result;
}

struct sunk {
  char bytes[4096];
  size_t size;
};

static inline void sink(void* user, inlens_str piece) {
  struct sunk* sunk = user;
  if (piece.size > sizeof sunk->bytes - sunk->size) return;
  if (piece.size > 0) memcpy(sunk->bytes + sunk->size, piece.data, piece.size);
  sunk->size += piece.size;
}

static inline void ignore_answer(void* user, const inlens_http_answer* answer) {
  (void)user;
  (void)answer;
}

inlens_request begin_request(void);

/* Every function that takes a struct, with structs of every size an older host could have. */
void use_old_structs(inlens_request request);

#endif
