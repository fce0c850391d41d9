#include "agent/store/history.hpp"

#include <algorithm>
#include <utility>

namespace inlens::store {

History::Ring::Ring(std::size_t capacity, std::size_t most_bytes)
    : slots_(capacity), places_(2 * capacity), most_bytes_(most_bytes) {
  free_.reserve(capacity);
  for (Kept& slot : slots_) free_.push_back(&slot);
}

template <class Leave>
void History::Ring::put(Kept&& kept, Leave&& leave) {
  while (count_ > 0 && (count_ == capacity() || bytes_ + kept.bytes > most_bytes_)) {
    if (kept.ended < places_[first_].ended) return leave(std::move(kept));
    leave(std::move(take_oldest()));
  }
  insert(std::move(kept));
}

// What it returns is to be moved from at once: its slot is free.
History::Kept& History::Ring::take_oldest() {
  Kept& oldest = *places_[first_].kept;
  free_.push_back(&oldest);
  ++first_;
  --count_;
  bytes_ -= oldest.bytes;
  return oldest;
}

void History::Ring::insert(Kept&& kept) {
  if (first_ + count_ == places_.size()) {
    std::copy_n(places_.begin() + static_cast<std::ptrdiff_t>(first_), count_, places_.begin());
    first_ = 0;
  }
  const auto begin = places_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto end = begin + static_cast<std::ptrdiff_t>(count_);
  auto at = end;
  if (count_ > 0 && kept.ended < end[-1].ended) {
    at = std::upper_bound(begin, end, kept.ended,
                          [](std::uint64_t ended, const Place& place) { return ended < place.ended; });
    std::copy_backward(at, end, end + 1);
  }
  Kept* const slot = free_.back();
  free_.pop_back();
  *at = {kept.ended, slot};
  ++count_;
  bytes_ += kept.bytes;
  *slot = std::move(kept);
}

void History::Ring::changed(Kept& kept) {
  const std::size_t bytes = kept.item->bytes();
  bytes_ += bytes - kept.bytes;
  kept.bytes = bytes;
}

History::History(HistoryLimits limits, Maker maker)
    : maker_(std::move(maker)),
      recent_(std::max<std::size_t>(limits.recent, 1), limits.bytes / 2),
      notable_(std::max<std::size_t>(limits.notable, 1), limits.bytes / 2) {}

HistoryItem& History::next() {
  if (spare_ == nullptr) {
    spare_ = maker_();
  } else if (!spare_clean_) {
    spare_->clear();
  }
  spare_clean_ = false;
  return *spare_;
}

void History::keep(const RequestId& id, std::uint64_t ended, bool notable) {
  Kept kept{id, ended, notable, spare_->bytes(), std::move(spare_)};
  recent_.put(std::move(kept), [this](Kept&& oldest) { leave_recent(std::move(oldest)); });
}

void History::leave_recent(Kept&& kept) {
  if (!kept.notable) return reuse(std::move(kept.item));
  notable_.put(std::move(kept), [this](Kept&& oldest) { reuse(std::move(oldest.item)); });
}

void History::reuse(std::unique_ptr<HistoryItem> item) {
  if (spare_ != nullptr) return;
  item->clear();
  spare_ = std::move(item);
  spare_clean_ = true;
}

History::Kept* History::find(const RequestId& id) {
  for (Ring* ring : {&recent_, &notable_}) {
    for (std::size_t age = ring->count(); age-- > 0;) {
      if (Kept& kept = ring->at(age); kept.id == id) return &kept;
    }
  }
  return nullptr;
}

void History::changed(Kept& kept, bool notable) {
  kept.notable = kept.notable || notable;
  (recent_.holds(kept) ? recent_ : notable_).changed(kept);
}

std::vector<std::shared_ptr<const RequestDetail>> History::list() {
  std::vector<std::shared_ptr<const RequestDetail>> list;
  list.reserve(size());
  std::size_t recent = recent_.count();
  std::size_t notable = notable_.count();
  while (recent + notable > 0) {
    const bool from_recent =
        notable == 0 || (recent > 0 && recent_.at(recent - 1).ended >= notable_.at(notable - 1).ended);
    Kept& newest = from_recent ? recent_.at(--recent) : notable_.at(--notable);
    list.push_back(newest.item->detail());
  }
  return list;
}

}  // namespace inlens::store
