// One statement, from its begin until its last row is read; kept with the connection or the prepared
// statement, as several calls of the host belong to it.
//
// Threads: the one that uses the connection. The calls of a statement may come from several, one after
// another. Blocks: never.
#pragma once

#include <inlens/inlens.h>

#include <cstdint>
#include <string_view>

namespace inlens::mysql {

struct Failure {
  unsigned number;
  const char* sqlstate;
  const char* message;
};

class Run {
 public:
  // A statement that was not read to its end is ended as it is.
  void begin(inlens_connection connection, std::string_view text, std::string_view database,
             const void* caller) noexcept;
  bool is_open() const noexcept { return open_; }

  // The answer's first part is there.
  void executed() noexcept;
  void add_execution(std::uint64_t cycles) noexcept { execution_ += cycles; }
  void add_reading(std::uint64_t cycles) noexcept { reading_ += cycles; }
  void add_rows(std::uint64_t rows) noexcept;

  void end() noexcept;
  void fail(const Failure& failure) noexcept;

 private:
  void finish(inlens_statement_result& result) noexcept;

  inlens_request request_ = INLENS_NONE;
  inlens_span span_ = INLENS_NONE;
  inlens_connection connection_ = INLENS_NONE;
  const void* thread_ = nullptr;
  std::uint64_t began_ = 0;
  std::uint64_t execution_ = 0;  // these two in cycles
  std::uint64_t reading_ = 0;
  std::int64_t rows_ = 0;
  bool open_ = false;
};

// A call of the library on behalf of a statement; ends the statement as failed when the call is left by an
// exception or the thread's cancellation.
class Crossing {
 public:
  explicit Crossing(Run& run) noexcept;
  ~Crossing();
  Crossing(const Crossing&) = delete;
  Crossing& operator=(const Crossing&) = delete;

  // The call has returned, after so many cycles.
  std::uint64_t returned() noexcept;

 private:
  Run& run_;
  std::uint64_t since_;
  bool returned_ = false;
};

// A statement that failed before it could be run, having taken so many cycles.
void report_failed(std::string_view text, std::string_view database, const void* caller,
                   const Failure& failure, std::uint64_t cycles) noexcept;

}  // namespace inlens::mysql
