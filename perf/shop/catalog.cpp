#include "perf/shop/catalog.hpp"

#include <array>
#include <cstdint>
#include <ostream>
#include <string>

#include "perf/shop/db.hpp"

namespace shop {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kProducts = 2000;
constexpr std::int64_t kCustomers = 500;
constexpr std::int64_t kOrders = 1500;
constexpr std::int64_t kFirstOrder_s = 1'700'000'000;

constexpr std::array kSchema = {
    "CREATE TABLE products (id INTEGER PRIMARY KEY, sku TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"
    " category TEXT NOT NULL, price_cents INTEGER NOT NULL, stock INTEGER NOT NULL, sold INTEGER NOT NULL)",
    "CREATE INDEX products_by_sold ON products (sold DESC)",
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL)",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers,"
    " created_s INTEGER NOT NULL, total_cents INTEGER NOT NULL)",
    "CREATE TABLE order_items (order_id INTEGER NOT NULL REFERENCES orders ON DELETE CASCADE,"
    " product_id INTEGER NOT NULL REFERENCES products, quantity INTEGER NOT NULL,"
    " price_cents INTEGER NOT NULL)",
    "CREATE INDEX order_items_by_order ON order_items (order_id)",
};

constexpr std::array<std::string_view, 8> kMaterials = {"Oak",   "Linen", "Copper", "Stone",
                                                        "Glass", "Cork",  "Walnut", "Felt"};
constexpr std::array<std::string_view, 10> kThings = {"lamp", "bowl",  "stool", "shelf", "clock",
                                                      "tray", "chair", "vase",  "box",   "board"};
constexpr std::array<std::string_view, 5> kCategories = {"kitchen", "living", "office", "garden", "light"};
constexpr std::array<std::string_view, 8> kNames = {"Ada",    "Boris", "Chloé", "Dimitri",
                                                    "Eszter", "Farid", "Greta", "Hana"};
constexpr std::array<std::string_view, 6> kCities = {"Lisbon", "Tartu", "Graz", "Bergen", "Ghent", "Porto"};

// The same numbers everywhere: a linear congruential generator.
class Numbers {
 public:
  std::int64_t below(std::int64_t limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::int64_t>((state_ >> 33) % static_cast<std::uint64_t>(limit));
  }

 private:
  std::uint64_t state_ = 42;
};

template <class List>
std::string_view pick(const List& list, std::int64_t index) {
  return list[static_cast<std::size_t>(index) % list.size()];
}

std::int64_t price_of(std::int64_t product) {
  return 490 + product * 37 % 9500;
}

void add_products(Db& db, Numbers& numbers) {
  for (std::int64_t id = 1; id <= kProducts; ++id) {
    const std::string sku = "SKU-" + std::to_string(10'000 + id);
    const std::string name = std::string(pick(kMaterials, id)) + " " + std::string(pick(kThings, id / 8)) +
                             " no. " + std::to_string(id);
    db.execute(
        "INSERT INTO products VALUES (?, ?, ?, ?, ?, ?, ?)",
        {id, sku, name, pick(kCategories, id), price_of(id), 20 + numbers.below(200), numbers.below(5000)});
  }
}

void add_customers(Db& db) {
  for (std::int64_t id = 1; id <= kCustomers; ++id) {
    const std::string name = std::string(pick(kNames, id)) + " " + std::to_string(id);
    db.execute("INSERT INTO customers VALUES (?, ?, ?)", {id, name, pick(kCities, id)});
  }
}

void add_orders(Db& db, Numbers& numbers) {
  for (std::int64_t id = 1; id <= kOrders; ++id) {
    db.execute("INSERT INTO orders VALUES (?, ?, ?, 0)",
               {id, 1 + numbers.below(kCustomers), kFirstOrder_s + id * 1800});
    std::int64_t total_cents = 0;
    for (std::int64_t item = 1 + numbers.below(4); item > 0; --item) {
      const std::int64_t product = 1 + numbers.below(kProducts);
      const std::int64_t quantity = 1 + numbers.below(3);
      db.execute("INSERT INTO order_items VALUES (?, ?, ?, ?)", {id, product, quantity, price_of(product)});
      total_cents += quantity * price_of(product);
    }
    db.execute("UPDATE orders SET total_cents = ? WHERE id = ?", {total_cents, id});
  }
}

}  // namespace

void create_catalog(const std::string& file, std::ostream& progress) {
  Db db(file);
  // The write lock comes first, so that a second shop waits here and then finds the work done.
  Transaction transaction(db);
  if (db.number("PRAGMA user_version") == kVersion) return;

  progress << "Creating the shop's database " << file << " …\n" << std::flush;
  for (const char* table : kSchema) db.execute(table);
  Numbers numbers;
  add_products(db, numbers);
  progress << "  " << kProducts << " products\n" << std::flush;
  add_customers(db);
  progress << "  " << kCustomers << " customers\n" << std::flush;
  add_orders(db, numbers);
  progress << "  " << kOrders << " orders\n" << std::flush;
  db.execute("PRAGMA user_version = " + std::to_string(kVersion));
  transaction.commit();
}

}  // namespace shop
