#include "perf/shop/workers.hpp"

#include <pthread.h>

namespace shop {

thread_local Worker* Workers::current_ = nullptr;

Workers::Workers(unsigned count, Shop& shop, std::uint16_t stock_port)
    : jobs_(static_cast<int>(count)), open_(boost::asio::make_work_guard(jobs_)) {
  for (unsigned i = 0; i < count; ++i) workers_.push_back(std::make_unique<Worker>(shop, stock_port));
  for (unsigned i = 0; i < count; ++i) {
    threads_.emplace_back([this, i] {
      pthread_setname_np(pthread_self(), ("shop-worker-" + std::to_string(i + 1)).c_str());
      current_ = workers_[i].get();
      jobs_.run();
    });
  }
}

Workers::~Workers() {
  jobs_.stop();
  threads_.clear();
}

}  // namespace shop
