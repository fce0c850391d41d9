// Whether this thread is inside a library's call already: libraries call their own exported functions, and
// those calls come past us too. Only the outermost is the host's.
//
// Used by the interposed functions:  const Inside inside(Library::kPostgres); if (!inside.is_outermost()) …
// Threads: the calling one's. Ends when the call is left by an exception or a cancellation as well.
#pragma once

namespace inlens::preload {

enum class Library : unsigned { kSqlite = 1, kPostgres = 2, kMysql = 4, kCurl = 8 };

extern __thread unsigned t_inside;

class Inside {
 public:
  explicit Inside(Library library) noexcept : before_(t_inside), outermost_((before_ & bit(library)) == 0) {
    t_inside = before_ | bit(library);
  }
  ~Inside() { t_inside = before_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  bool is_outermost() const noexcept { return outermost_; }

 private:
  static unsigned bit(Library library) noexcept { return static_cast<unsigned>(library); }
  unsigned before_;
  bool outermost_;
};

// For the time of a host's callback, whose own calls are the host's again.
class Outside {
 public:
  explicit Outside(Library library) noexcept : before_(t_inside) {
    t_inside = before_ & ~static_cast<unsigned>(library);
  }
  ~Outside() { t_inside = before_; }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  unsigned before_;
};

}  // namespace inlens::preload
