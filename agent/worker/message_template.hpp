// Messages with what varies from one occurrence to the next masked by `?`: numbers, ids, hexadecimal, UUIDs,
// quoted text, addresses of mail. Used to tell errors of one cause together, and to keep literals of
// statements out of what is shown. Pure, any thread.
#pragma once

#include <string>
#include <string_view>

namespace inlens::worker {

// Appends the template of `message` to `out`.
void append_message_template(std::string_view message, std::string& out);

// The same for a database's message, which may repeat the statement itself or the values in it: there
// everything between the first and the last single quote goes, and what stands in brackets after an equals
// sign.
void append_statement_message(std::string_view message, std::string& out);

}  // namespace inlens::worker
