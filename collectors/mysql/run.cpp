#include "collectors/mysql/run.hpp"

#include <cstring>
#include <utility>

#include "collectors/preload/cycles.hpp"
#include "collectors/preload/inside.hpp"

namespace inlens::mysql {

namespace {

// Statements of this thread that are not over: rows of one may be read while others run, and those are no
// parts of it.
__thread unsigned t_open = 0;

inlens_str str(std::string_view text) noexcept {
  return {text.data(), text.size()};
}

inlens_str str(const char* text) noexcept {
  return {text, text != nullptr ? std::strlen(text) : 0};
}

// "1146 (42S02)", as the clients print it.
class Code {
 public:
  explicit Code(const Failure& failure) noexcept {
    char digits[10];
    unsigned count = 0;
    for (unsigned rest = failure.number; rest != 0; rest /= 10)
      digits[count++] = static_cast<char>('0' + rest % 10);
    while (count != 0) text_[size_++] = digits[--count];
    const std::size_t length = failure.sqlstate != nullptr ? strnlen(failure.sqlstate, 5) : 0;
    if (length == 0) return;
    text_[size_++] = ' ';
    text_[size_++] = '(';
    std::memcpy(text_ + size_, failure.sqlstate, length);
    size_ += length;
    text_[size_++] = ')';
  }
  inlens_str str() const noexcept { return {text_, size_}; }

 private:
  char text_[20];
  std::size_t size_ = 0;
};

inlens_span begin_span(inlens_request request, std::string_view text, std::string_view database,
                       const void* caller) noexcept {
  inlens_statement_info info{};
  info.struct_size = sizeof(info);
  info.text = str(text);
  info.dialect = INLENS_DIALECT_MYSQL;
  if (t_open == 0) info.flags = INLENS_STATEMENT_OBSERVED;
  info.database = str(database);
  info.caller = caller;
  return inlens_statement_begin(request, &info);
}

}  // namespace

void Run::begin(inlens_connection connection, std::string_view text, std::string_view database,
                const void* caller) noexcept {
  if (open_) end();
  open_ = true;
  connection_ = connection;
  execution_ = 0;
  reading_ = 0;
  rows_ = 0;
  thread_ = &preload::t_inside;
  request_ = inlens_background_enter();
  if (connection != INLENS_NONE) inlens_connection_use(connection, true);
  span_ = begin_span(request_, text, database, caller);
  ++t_open;
  began_ = preload::cycles();
}

void Run::executed() noexcept {
  execution_ += preload::cycles_since(began_);
}

void Run::add_rows(std::uint64_t rows) noexcept {
  constexpr std::uint64_t unknown = UINT64_MAX;  // as the library says it
  if (rows != unknown) rows_ += static_cast<std::int64_t>(rows);
}

void Run::finish(inlens_statement_result& result) noexcept {
  open_ = false;
  result.struct_size = sizeof(result);
  if (reading_ != 0) {
    result.read_ns = preload::cycles_to_ns(reading_);
    result.duration_ns = preload::cycles_to_ns(execution_) + result.read_ns;
  }
  inlens_statement_end(span_, &result);
  if (connection_ != INLENS_NONE) inlens_connection_use(connection_, false);
  if (thread_ != &preload::t_inside) return;
  if (t_open != 0) --t_open;
  inlens_background_leave(request_);
}

void Run::end() noexcept {
  inlens_statement_result result{};
  result.rows = rows_;
  finish(result);
}

void Run::fail(const Failure& failure) noexcept {
  const Code code(failure);
  inlens_statement_result result{};
  result.outcome = INLENS_OUTCOME_FAILED;
  result.rows = rows_;
  result.error_code = code.str();
  result.error_message = str(failure.message);
  finish(result);
}

Crossing::Crossing(Run& run) noexcept : run_(run), since_(preload::cycles()) {}

Crossing::~Crossing() {
  if (!returned_) run_.fail({0, nullptr, "left by an exception or a cancelled thread"});
}

std::uint64_t Crossing::returned() noexcept {
  returned_ = true;
  return preload::cycles_since(since_);
}

void report_failed(std::string_view text, std::string_view database, const void* caller,
                   const Failure& failure, std::uint64_t cycles) noexcept {
  const inlens_request request = inlens_background_enter();
  const inlens_span span = begin_span(request, text, database, caller);
  const Code code(failure);
  inlens_statement_result result{};
  result.struct_size = sizeof(result);
  result.outcome = INLENS_OUTCOME_FAILED;
  result.rows = -1;
  result.duration_ns = preload::cycles_to_ns(cycles);
  result.error_code = code.str();
  result.error_message = str(failure.message);
  inlens_statement_end(span, &result);
  inlens_background_leave(request);
}

}  // namespace inlens::mysql
