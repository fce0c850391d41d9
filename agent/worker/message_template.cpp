#include "agent/worker/message_template.hpp"

#include <algorithm>
#include <array>

namespace inlens::worker {

namespace {

constexpr std::size_t kLongWord = 20;
constexpr std::size_t kHexWord = 8;
constexpr char kMark = '?';

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_word(char c) {
  return is_digit(c) || is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_uuid(std::string_view text) {
  if (text.size() < 36) return false;
  for (std::size_t i = 0; i < 36; ++i) {
    const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    if (hyphen ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return text.size() == 36 || !is_word(text[36]);
}

// A run of word characters that names one thing of many.
bool is_variable(std::string_view word) {
  const auto digits = static_cast<std::size_t>(std::count_if(word.begin(), word.end(), is_digit));
  if (digits == 0) return false;
  if (is_digit(word.front())) return true;  // 42, 0x1f, 3rd, 10ms
  if (word.size() >= kHexWord && std::all_of(word.begin(), word.end(), is_hex)) return true;
  return word.size() >= kLongWord || digits * 2 > word.size();
}

// Length of what begins at the start of `text`, a number with its sign, dots and colons in between included.
std::size_t number_length(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() &&
         (is_word(text[size]) || ((text[size] == '.' || text[size] == ',' || text[size] == ':') &&
                                  size + 1 < text.size() && is_digit(text[size + 1])))) {
    ++size;
  }
  return size;
}

std::size_t word_length(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
}

// Length of an address of mail at the start of `text`, 0 when there is none.
std::size_t mail_length(std::string_view text) {
  const auto part = [](char c) { return is_word(c) || c == '.' || c == '-' || c == '+'; };
  std::size_t size = 0;
  while (size < text.size() && part(text[size])) ++size;
  if (size == 0 || size == text.size() || text[size] != '@') return 0;
  const std::size_t local = size++;
  while (size < text.size() && part(text[size])) ++size;
  return size > local + 1 ? size : 0;
}

// The quote that ends what `text` begins with, or npos. An apostrophe inside a word is no quote.
std::size_t closing_quote(std::string_view text, char before) {
  const char quote = text.front();
  if (quote == '\'' && is_word(before)) return std::string_view::npos;
  for (std::size_t at = text.find(quote, 1); at != std::string_view::npos; at = text.find(quote, at + 1)) {
    const bool apostrophe =
        quote == '\'' && is_letter(text[at - 1]) && at + 1 < text.size() && is_letter(text[at + 1]);
    if (text[at - 1] != '\\' && !apostrophe) return at;
  }
  return std::string_view::npos;
}

// The last quote of a message whose first one is at `first`. That of "doesn't" is none.
std::size_t last_quote(std::string_view message, std::size_t first) {
  std::size_t at = message.rfind('\'');
  while (at != first && message.substr(at - 1, 4) == "n't ") at = message.rfind('\'', at - 1);
  return at;
}

}  // namespace

void append_message_template(std::string_view message, std::string& out) {
  char before = ' ';
  while (!message.empty()) {
    const char c = message.front();
    std::size_t size = 1;
    if (c == '\'' || c == '"' || c == '`') {
      const std::size_t end = closing_quote(message, before);
      out += c;
      if (end != std::string_view::npos) {
        out += kMark;
        out += c;
        size = end + 1;
      }
    } else if (is_uuid(message)) {
      out += kMark;
      size = 36;
    } else if (const std::size_t mail = is_word(c) ? mail_length(message) : 0; mail != 0) {
      out += kMark;
      size = mail;
    } else if (is_digit(c)) {
      out += kMark;
      size = number_length(message);
    } else if (is_word(c)) {
      size = word_length(message);
      if (is_variable(message.substr(0, size))) {
        out += kMark;
      } else {
        out += message.substr(0, size);
      }
    } else {
      out += c;
    }
    before = message[size - 1];
    message.remove_prefix(size);
  }
}

void append_statement_message(std::string_view message, std::string& out) {
  std::string plain;
  plain.reserve(message.size());
  const std::size_t first = message.find('\'');
  const std::size_t last = last_quote(message, first);
  if (first != std::string_view::npos) {
    plain += message.substr(0, first);
    plain += "'x'";
    plain += first == last ? std::string_view() : message.substr(last + 1);
  } else {
    plain += message;
  }
  if (const std::size_t at = plain.find("=("); at != std::string::npos) {
    const std::size_t end = plain.rfind(')');
    plain.replace(at + 2, end == std::string::npos || end < at ? std::string::npos : end - at - 2, 1, '?');
  }
  append_message_template(plain, out);
}

}  // namespace inlens::worker
