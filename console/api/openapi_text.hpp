// The API description, openapi.json, embedded when Inlens is built. Static storage.
#pragma once

#include <string_view>

namespace inlens::console::api {

std::string_view openapi_text();

}  // namespace inlens::console::api
