#include <array>
#include <thread>
#include <vector>

#include "perf/shop/pages/pages.hpp"

namespace shop::pages {
namespace {

struct Sum {
  std::string_view name;
  std::string_view sql;
  std::int64_t value = 0;
};

// Runs on a thread of its own. The task was begun by the request's thread and came along.
void add_up(Sum& sum, inlens::Task task, const std::string& database) {
  const inlens::Attach attach(task);
  try {
    sum.value = open_database(database)->number(sum.sql);
  } catch (...) {
    inlens::error_being_handled(inlens::Handled::kYes);
  }
}

}  // namespace

Response task(const Context& context) {
  std::array sums = {Sum{"stock", "SELECT sum(stock) FROM products"},
                     Sum{"value", "SELECT sum(stock * price_cents) FROM products"},
                     Sum{"sold", "SELECT sum(quantity) FROM order_items"}};
  {
    std::vector<std::jthread> threads;
    for (Sum& sum : sums)
      threads.emplace_back(add_up, std::ref(sum), inlens::Task(sum.name), std::cref(context.shop().database));
  }
  Html html;
  html.markup("<dl>\n");
  for (const Sum& sum : sums) html.element("dt", sum.name).markup("<dd>").number(sum.value).markup("</dd>\n");
  return page("Task", std::move(html.markup("</dl>")));
}

}  // namespace shop::pages
