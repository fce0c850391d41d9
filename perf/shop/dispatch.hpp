// Leads a request to its page and turns whatever happens there into an answer.
// Called by the server on a worker thread, the request attached. Errors: none leave.
#pragma once

#include "perf/shop/page.hpp"

namespace shop {

// The page's answer, or one for an unknown path, a wrong method or an error.
Response dispatch(const Context& context);

// Puts the layout around a page's content; other answers stay as they are.
void render(Response& response);

}  // namespace shop
