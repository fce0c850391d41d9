// inlens-shop: puts the shop together, starts Inlens and says where everything is.
#include <boost/system/system_error.hpp>
#include <csignal>
#include <cstdlib>
#include <inlens/inlens.hpp>
#include <iostream>

#include "perf/shop/catalog.hpp"
#include "perf/shop/options.hpp"
#include "perf/shop/server.hpp"

namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

// Without settings of the user's own, the demo shows everything there is to see.
constexpr const char* kDemoSettings =
    R"({"collect": {"level": "standard"}, "bar": {"enabled": true, "allow": "loopback"}})";

void start_inlens(const shop::Options& options) {
  inlens::StartOptions start;
  start.server_name = "inlens-shop";
  start.release = inlens_version();
  start.config_file = options.config;
  if (options.config.empty() && std::getenv("INLENS_CONFIG") == nullptr) start.config_json = kDemoSettings;
  start.log = [](void*, int level, inlens_str line) {
    if (level >= 2) std::cerr << std::string_view(line.data, line.size) << "\n";
  };
  if (inlens::start(start) != INLENS_OK)
    std::cerr << "inlens-shop: Inlens did not start; the shop runs without it\n";
}

void print_addresses(std::uint16_t port) {
  std::cout << "\nShop      http://127.0.0.1:" << port << "/\n";
  const auto url = inlens::console_url();
  const auto link = inlens::console_link();
  if (url.empty()) {
    std::cout << "Console   not running\n";
  } else {
    std::cout << "Console   " << url.view() << "\nSign in   " << link.view()
              << "\n          (works once, within 10 minutes)\n";
  }
  std::cout << "\nCtrl-C stops the shop.\n" << std::flush;
}

int run_shop(const shop::Options& options) {
  shop::Shop the_shop;
  shop::Server server(options.port, the_shop);
  the_shop.database = shop::database_of(options.db);
  shop::create_catalog(the_shop.database, std::cout);
  const shop::StockService stock;
  shop::Workers workers(options.workers, the_shop, stock.port());
  start_inlens(options);
  print_addresses(server.port());
  server.run(workers);
  inlens::stop();
  std::cout << "The shop is closed.\n";
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  std::string error;
  const auto options = shop::parse_options(argc, argv, error);
  if (!options) {
    std::cerr << "inlens-shop: " << error << "; see --help\n";
    return kExitUsage;
  }
  if (options->help) {
    std::cout << shop::kUsage;
    return EXIT_SUCCESS;
  }
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run_shop(*options);
  } catch (const boost::system::system_error& failure) {
    if (failure.code() == boost::system::errc::address_in_use) {
      std::cerr << "inlens-shop: port " << options->port
                << " on 127.0.0.1 is in use; choose another with --port\n";
    } else {
      std::cerr << "inlens-shop: " << failure.what() << "\n";
    }
  } catch (const shop::DbError& failure) {
    std::cerr << "inlens-shop: --db: " << failure.what() << "\n";
  } catch (const std::exception& failure) {
    std::cerr << "inlens-shop: " << failure.what() << "\n";
  }
  return kExitFailed;
}
