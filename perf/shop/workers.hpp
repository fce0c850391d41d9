// The threads that run page handlers. A page that blocks holds one of them, as in many real servers.
// Owns: the threads, and for each its database connection and its client of the stock service.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <thread>
#include <vector>

#include "perf/shop/offload.hpp"
#include "perf/shop/page.hpp"

namespace shop {

class Workers {
 public:
  // Errors: DbError, if the database cannot be opened.
  Workers(unsigned count, Shop& shop, std::uint16_t stock_port);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();  // Blocks: until the pages under way are made. What waits is dropped.

  // To be awaited: calls work(Worker&) on the next free worker.
  template <class Work>
  auto run(Work work) {
    return offload(jobs_.get_executor(), [work = std::move(work)]() mutable { return work(*current_); });
  }

 private:
  static thread_local Worker* current_;

  boost::asio::io_context jobs_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::jthread> threads_;
};

}  // namespace shop
