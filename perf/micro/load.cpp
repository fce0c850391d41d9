#include "perf/micro/load.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace inlens::micro {

namespace {

constexpr inlens_str str(std::string_view text) {
  return {text.data(), text.size()};
}

constexpr std::string_view kToken = "micro";

// Five different statements, as a page has them; 80 bytes each.
constexpr std::string_view kStatements[] = {
    "select id, name, price_cents, stock from products where category = ? limit 20 --",
    "select o.id, o.total_cents from orders o where o.customer_id = ? order by o.id ;",
    "select name, city, street, postcode from customers where id = ? and active = 1 ;",
    "update products set stock = stock - ?, changed_at = ? where id = ? and stock > 0",
    "insert into audit (at, actor, action, subject, detail) values (?, ?, ?, ?, ?) ; ",
};

}  // namespace

const std::string_view kSqlLiterals =
    "select id, name, price from products where category = 'shoes' and price < 1999.00";
const std::string_view kSqlPlaceholders =
    "select id, name, price from products where category = ? and price < ? order by 1";
const std::string_view kSqlLong =
    "select p.id, p.name, p.price_cents, p.stock, c.name as category, s.name as supplier, avg(r.stars) as "
    "stars, "
    "count(r.id) as reviews from products p join categories c on c.id = p.category_id join suppliers s on "
    "s.id = "
    "p.supplier_id left join reviews r on r.product_id = p.id where p.active = 1 and p.price_cents between "
    "1000 and 5000 "
    "and c.name in ('shoes', 'hats', 'coats') and s.country = 'DE' and p.name like '%red%' group by p.id, "
    "p.name, "
    "p.price_cents, p.stock, c.name, s.name order by stars desc, p.id limit 50";

bool start_agent(inlens_level level, unsigned poll_ms) {
  const std::string config =
      R"({"console.port": 0, "console.token": "micro", "worker.pollMs": )" + std::to_string(poll_ms) + "}";
  inlens_start_options options{};
  options.struct_size = sizeof(options);
  options.abi_version = INLENS_ABI_VERSION;
  options.config_json = str(config);
  return inlens_start(&options) == INLENS_OK && inlens_level_set(level) == INLENS_OK;
}

namespace {

void make_request(int statements, bool attached) {
  inlens_request_info info{};
  info.struct_size = sizeof(info);
  info.method = str("GET");
  info.target = str("/products/1234/reviews");
  info.host = str("shop.example");
  info.peer = str("192.0.2.17");
  info.protocol = str("HTTP/1.1");
  const inlens_request request = inlens_request_begin(&info);
  inlens_request previous = INLENS_NONE;
  if (attached) previous = inlens_request_attach(request);
  inlens_request_route(request, str("/products/{id}/reviews"));
  for (int i = 0; i < statements; ++i) {
    inlens_statement_info statement{};
    statement.struct_size = sizeof(statement);
    statement.text = str(kStatements[i % 5]);
    statement.dialect = INLENS_DIALECT_SQLITE;
    const inlens_span span = inlens_statement_begin(request, &statement);
    inlens_statement_result result{};
    result.struct_size = sizeof(result);
    result.rows = 20;
    inlens_statement_end(span, &result);
  }
  if (attached) inlens_request_detach(previous);
  inlens_request_result result{};
  result.struct_size = sizeof(result);
  result.status = 200;
  result.bytes_out = 4096;
  inlens_request_end(request, &result);
}

}  // namespace

void one_request(int statements) {
  make_request(statements, false);
}
void one_attached_request(int statements) {
  make_request(statements, true);
}

std::uint64_t worker_cpu_ns() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream comm(task.path() / "comm");
    std::string name;
    if (!std::getline(comm, name) || name != "inlens-worker") continue;
    std::uint64_t on_cpu_ns = 0;
    std::ifstream(task.path() / "schedstat") >> on_cpu_ns;
    return on_cpu_ns;
  }
  return 0;
}

void await_empty_queue() {
  inlens_figures figures{};
  figures.struct_size = sizeof(figures);
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    inlens_figures_get(&figures);
  } while (figures.queue_depth != 0);
}

bool drain_now() {
  const std::string bearer = "Bearer " + std::string(kToken);
  const inlens_header headers[] = {{str("Host"), str("127.0.0.1")}, {str("Authorization"), str(bearer)}};
  inlens_http_request request{};
  request.struct_size = sizeof(request);
  request.method = str("GET");
  request.target = str("/~inlens/api/queries");
  request.headers = headers;
  request.header_count = 2;
  request.peer = str("127.0.0.1");
  bool answered = false;
  const auto take = [](void* user, const inlens_http_answer* answer) {
    *static_cast<bool*>(user) = answer->status == 200;
  };
  return inlens_console_handle(&request, take, &answered) && answered;
}

}  // namespace inlens::micro
