#include "agent/store/history.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

using namespace inlens::store;

namespace {

struct Item final : HistoryItem {
  explicit Item(int& made_items, int& made_details) : details(made_details) { ++made_items; }

  std::shared_ptr<const RequestDetail> detail() override {
    if (made == nullptr) {
      ++details;
      auto fresh = std::make_shared<RequestDetail>();
      fresh->id = id;
      made = fresh;
    }
    return made;
  }
  std::size_t bytes() const override { return size; }
  void clear() override {
    made.reset();
    id = {};
    size = 100;
  }

  int& details;
  RequestId id;
  std::size_t size = 100;
  std::shared_ptr<const RequestDetail> made;
};

struct Book {
  explicit Book(HistoryLimits limits)
      : history(limits, [this] { return std::make_unique<Item>(items, details); }) {}

  // Its id is also when it ended.
  void keep(std::uint64_t id, bool notable = false, std::size_t bytes = 100) {
    auto& item = static_cast<Item&>(history.next());
    item.id = {1, id};
    item.size = bytes;
    history.keep(item.id, id, notable);
  }
  std::vector<std::uint64_t> ids() {
    std::vector<std::uint64_t> ids;
    for (const auto& detail : history.list()) ids.push_back(detail->id.low);
    return ids;
  }

  int items = 0;
  int details = 0;
  History history;
};

using Ids = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("The history lists the newest request first and forgets the oldest") {
  Book book({3, 3, 1 << 20});
  for (std::uint64_t id = 1; id <= 5; ++id) book.keep(id);
  CHECK(book.ids() == Ids{5, 4, 3});
  CHECK(book.history.size() == 3);
}

TEST_CASE("A notable request outlives any number of harmless ones and is listed once") {
  Book book({3, 2, 1 << 20});
  book.keep(1, true);
  book.keep(2);
  CHECK(book.ids() == Ids{2, 1});
  for (std::uint64_t id = 3; id <= 1000; ++id) book.keep(id);
  CHECK(book.ids() == Ids{1000, 999, 998, 1});
}

TEST_CASE("Of notable requests the oldest gives way") {
  Book book({1, 2, 1 << 20});
  for (std::uint64_t id = 1; id <= 5; ++id) book.keep(id, true);
  CHECK(book.ids() == Ids{5, 4, 3});
}

TEST_CASE("Whatever the order they arrive in, those that ended last are kept, in the order of their ends") {
  std::mt19937 random(17);
  std::vector<std::uint64_t> arriving(1000);
  std::iota(arriving.begin(), arriving.end(), 1);
  const auto is_notable = [](std::uint64_t id) { return id % 10 == 0; };
  for (int round = 0; round < 20; ++round) {
    std::shuffle(arriving.begin(), arriving.end(), random);
    Book book({50, 7, 1 << 20});
    for (const std::uint64_t id : arriving) book.keep(id, is_notable(id));
    Ids expected;
    for (std::uint64_t id = 1000; id > 950; --id) expected.push_back(id);
    for (std::uint64_t id = 950; id > 880; id -= 10) expected.push_back(id);
    REQUIRE(book.ids() == expected);
  }
}

TEST_CASE("Of requests that ended together the one that came last is the newest") {
  Book book({2, 2, 1 << 20});
  for (std::uint64_t id = 1; id <= 3; ++id) {
    static_cast<Item&>(book.history.next()).id = {1, id};
    book.history.keep({1, id}, 99, false);
  }
  CHECK(book.ids() == Ids{3, 2});
}

TEST_CASE("A late request displaces no newer one, and a late notable one is listed at its place") {
  Book book({2, 2, 1 << 20});
  for (const std::uint64_t id : {20, 30}) book.keep(id);
  book.keep(10);
  CHECK(book.ids() == Ids{30, 20});
  book.keep(15, true);
  book.keep(12, true);
  book.keep(11, true);
  CHECK(book.ids() == Ids{30, 20, 15, 12});
  book.keep(25, true);
  CHECK(book.ids() == Ids{30, 25, 15, 12});
}

TEST_CASE("A late request finds room that a large one left, behind notable ones that ended after it") {
  Book book({10, 10, 2000});
  book.keep(20, true);
  book.keep(30, false, 1000);
  book.keep(40, false, 900);
  book.keep(10);
  CHECK(book.ids() == Ids{40, 20, 10});
}

TEST_CASE("Details are made when somebody looks, and once") {
  Book book({3, 3, 1 << 20});
  book.keep(1);
  CHECK(book.details == 0);
  const auto first = book.history.list();
  CHECK(book.details == 1);
  CHECK(book.history.list() == first);
  CHECK(book.details == 1);
}

TEST_CASE("A snapshot keeps its details when the history has moved on") {
  Book book({1, 1, 1 << 20});
  book.keep(1);
  const auto list = book.history.list();
  book.keep(2);
  book.keep(3);
  CHECK(list.front()->id.low == 1);
}

TEST_CASE("A full history uses its items again instead of making new ones") {
  Book book({3, 2, 1 << 20});
  for (std::uint64_t id = 1; id <= 10; ++id) book.keep(id, id % 2 == 0);
  const int made = book.items;
  for (std::uint64_t id = 11; id <= 500; ++id) book.keep(id, id % 2 == 0);
  CHECK(book.items == made);
}

TEST_CASE("The history is bounded by bytes as well as by count") {
  Book book({100, 100, 2000});
  for (std::uint64_t id = 1; id <= 50; ++id) book.keep(id, id % 2 == 0, 300);
  CHECK(book.history.bytes() <= 2000);
  CHECK(book.ids() == Ids{50, 49, 48, 46, 44, 42});
}

TEST_CASE("A request larger than the whole bound is kept alone among the recent ones") {
  Book book({10, 10, 2000});
  book.keep(1);
  book.keep(2, false, 5000);
  CHECK(book.ids() == Ids{2});
  book.keep(3);
  CHECK(book.ids() == Ids{3});
}

TEST_CASE("A request is found by its id while it is kept, and can become notable afterwards") {
  Book book({2, 2, 1 << 20});
  book.keep(1);
  History::Kept* kept = book.history.find({1, 1});
  REQUIRE(kept != nullptr);
  static_cast<Item&>(*kept->item).size = 150;
  book.history.changed(*kept, true);
  CHECK(book.history.bytes() == 150);
  for (std::uint64_t id = 2; id <= 9; ++id) book.keep(id);
  CHECK(book.ids() == Ids{9, 8, 1});
  CHECK(book.history.find({1, 1}) != nullptr);
  CHECK(book.history.find({1, 5}) == nullptr);
  CHECK(book.history.find({2, 1}) == nullptr);
}

TEST_CASE("An item that was never kept is handed out again") {
  Book book({2, 2, 1 << 20});
  HistoryItem& item = book.history.next();
  CHECK(&book.history.next() == &item);
  CHECK(book.ids().empty());
}
