// The second service that the shop asks over HTTP: how many of an article are in the warehouse.
// StockService answers on a loopback port of its own, on its own thread, and is not watched by Inlens;
// StockClient asks, keeps its connection, and reports each call to Inlens.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace shop {

class StockService {
 public:
  StockService();  // Errors: boost::system::system_error if no port is free.
  StockService(const StockService&) = delete;
  StockService& operator=(const StockService&) = delete;
  ~StockService();

  std::uint16_t port() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Threads: one at a time.
class StockClient {
 public:
  explicit StockClient(std::uint16_t port);
  StockClient(const StockClient&) = delete;
  StockClient& operator=(const StockClient&) = delete;
  ~StockClient();

  // The service's answer to GET `target`. Errors: boost::system::system_error. Blocks: for the answer.
  std::string get(const std::string& target);

 private:
  struct Connection;
  std::uint16_t port_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace shop
