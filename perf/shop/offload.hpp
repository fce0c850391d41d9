// Runs a function on another executor's thread and resumes the awaiting coroutine on its own with the result.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <type_traits>
#include <utility>

namespace shop {

// Errors: what `work` throws comes out of the co_await. Its result type has to be default-constructible.
template <class Executor, class Work>
auto offload(Executor there, Work work) {
  using Result = std::invoke_result_t<Work&>;
  auto initiate = [](auto handler, Executor executor, Work job) {
    auto run = [handler = std::move(handler), job = std::move(job)]() mutable {
      std::exception_ptr error;
      Result result{};
      try {
        result = job();
      } catch (...) {
        error = std::current_exception();
      }
      auto home = boost::asio::get_associated_executor(handler);
      boost::asio::post(home, [handler = std::move(handler), error, result = std::move(result)]() mutable {
        std::move(handler)(error, std::move(result));
      });
    };
    boost::asio::post(executor, std::move(run));
  };
  return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(std::exception_ptr, Result)>(
      initiate, boost::asio::use_awaitable, std::move(there), std::move(work));
}

}  // namespace shop
