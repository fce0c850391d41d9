// The history of requests: the last `recent` of all of them and, apart from those, the last `notable` ones
// (errors, slow, with findings), so that a flood of harmless requests cannot flush the interesting ones. The
// last are those that ended last: the worker empties the queue thread by thread, so they arrive in any order.
// Bounded by count and by bytes. Called by the worker, on the worker thread only.
//
// What a kept request looks like is its maker's affair: the history owns items behind an interface, hands the
// oldest one out again to be refilled (so that nothing is allocated in steady state), and asks for the
// readable detail only when somebody looks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "agent/store/snapshot.hpp"

namespace inlens::store {

// One request in the form its maker keeps it in.
class HistoryItem {
 public:
  virtual ~HistoryItem() = default;
  // Made at the first call and the same from then on, until the item changes.
  virtual std::shared_ptr<const RequestDetail> detail() = 0;
  // Memory held, spare capacity and the detail included, whether it is made or not: looking must not flush
  // anything.
  virtual std::size_t bytes() const = 0;
  // Forgets the content, keeps what can be used again.
  virtual void clear() = 0;
};

struct HistoryLimits {
  std::size_t recent = 200;
  std::size_t notable = 200;
  std::size_t bytes = std::size_t{16} << 20;  // half for each of the two
};

class History {
 public:
  using Maker = std::function<std::unique_ptr<HistoryItem>()>;

  struct Kept {
    RequestId id;
    std::uint64_t ended = 0;
    bool notable = false;
    std::size_t bytes = 0;
    std::unique_ptr<HistoryItem> item;
  };

  History(HistoryLimits limits, Maker maker);

  // An empty item to be filled. It enters the history with keep(); otherwise the next call gives it again,
  // cleared.
  HistoryItem& next();
  // `ended` on any clock; of equal ones the later call counts as newer. An item that is older than all there
  // is room for is not kept.
  void keep(const RequestId& id, std::uint64_t ended, bool notable);

  // The request with that id, or nullptr. Looks at every entry: for the rare case.
  Kept* find(const RequestId& id);
  // After an item was changed.
  void changed(Kept& kept, bool notable);

  // Newest first. Makes the details that are not made yet.
  std::vector<std::shared_ptr<const RequestDetail>> list();

  std::size_t size() const { return recent_.count() + notable_.count(); }
  std::size_t bytes() const { return recent_.bytes() + notable_.bytes(); }

 private:
  // In the order of their ends. Items lie still in their slots; what moves when one comes late is its place.
  class Ring {
   public:
    Ring(std::size_t capacity, std::size_t most_bytes);

    // Whatever has to leave for it is given to `leave(Kept&&)`, oldest first; that may be `kept` itself.
    template <class Leave>
    void put(Kept&& kept, Leave&& leave);
    void changed(Kept& kept);

    Kept& at(std::size_t age) { return *places_[first_ + age].kept; }  // 0 is the oldest
    bool holds(const Kept& kept) const {
      return &kept >= slots_.data() && &kept < slots_.data() + capacity();
    }
    std::size_t count() const { return count_; }
    std::size_t bytes() const { return bytes_; }

   private:
    struct Place {
      std::uint64_t ended;
      Kept* kept;
    };

    std::size_t capacity() const { return slots_.size(); }
    Kept& take_oldest();
    void insert(Kept&& kept);

    std::vector<Kept> slots_;
    std::vector<Kept*> free_;
    std::vector<Place> places_;  // twice the capacity: those in use are a window that slides towards the end
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    std::size_t bytes_ = 0;
    std::size_t most_bytes_;
  };

  void leave_recent(Kept&& kept);
  void reuse(std::unique_ptr<HistoryItem> item);

  Maker maker_;
  Ring recent_;
  Ring notable_;
  std::unique_ptr<HistoryItem> spare_;
  bool spare_clean_ = false;
};

}  // namespace inlens::store
