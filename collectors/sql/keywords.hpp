// The few words whose meaning the normaliser needs: keywords after which a value begins (so that `- 1` there
// is a negative number and a bracket there is no argument list), and names of types that take a modifier, as
// in varchar(20). Pure look-ups in sorted tables, case folded.
#pragma once

#include <string_view>

namespace inlens::sql {

bool is_keyword(std::string_view word) noexcept;
bool is_type_name(std::string_view word) noexcept;

}  // namespace inlens::sql
