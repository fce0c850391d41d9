#include "agent/store/history.hpp"

#include <algorithm>
#include <utility>

namespace inlens::store {

History::Kept History::Ring::take_oldest() {
  Kept kept = std::move(slots[first]);
  slots[first] = {};
  first = (first + 1) % slots.size();
  --count;
  bytes -= kept.bytes;
  return kept;
}

void History::Ring::put(Kept kept) {
  bytes += kept.bytes;
  slots[(first + count) % slots.size()] = std::move(kept);
  ++count;
}

History::History(HistoryLimits limits, Maker maker)
    : limits_(limits),
      maker_(std::move(maker)),
      recent_(std::max<std::size_t>(limits.recent, 1)),
      notable_(std::max<std::size_t>(limits.notable, 1)) {}

HistoryItem& History::next() {
  if (spare_ == nullptr) {
    spare_ = maker_();
  } else if (!spare_clean_) {
    spare_->clear();
  }
  spare_clean_ = false;
  return *spare_;
}

void History::keep(const RequestId& id, bool notable) {
  Kept kept{id, notable, spare_->bytes(), std::move(spare_)};
  make_room(kept.bytes);
  recent_.put(std::move(kept));
}

void History::make_room(std::size_t incoming_bytes) {
  const std::size_t limit = limits_.bytes / 2;
  while (recent_.count > 0 &&
         (recent_.count == recent_.slots.size() || recent_.bytes + incoming_bytes > limit)) {
    leave_recent();
  }
}

void History::leave_recent() {
  Kept oldest = recent_.take_oldest();
  if (oldest.notable) {
    put_notable(std::move(oldest));
  } else {
    reuse(std::move(oldest.item));
  }
}

void History::put_notable(Kept kept) {
  const std::size_t limit = limits_.bytes / 2;
  while (notable_.count > 0 &&
         (notable_.count == notable_.slots.size() || notable_.bytes + kept.bytes > limit)) {
    reuse(notable_.take_oldest().item);
  }
  notable_.put(std::move(kept));
}

void History::reuse(std::unique_ptr<HistoryItem> item) {
  if (spare_ != nullptr) return;
  item->clear();
  spare_ = std::move(item);
  spare_clean_ = true;
}

History::Kept* History::find(const RequestId& id) {
  for (Ring* ring : {&recent_, &notable_}) {
    for (std::size_t age = ring->count; age-- > 0;) {
      if (Kept& kept = ring->at(age); kept.id == id) return &kept;
    }
  }
  return nullptr;
}

void History::changed(Kept& kept, bool notable) {
  kept.notable = kept.notable || notable;
  const auto* slot = &kept;
  Ring& ring =
      slot >= recent_.slots.data() && slot < recent_.slots.data() + recent_.slots.size() ? recent_ : notable_;
  const std::size_t bytes = kept.item->bytes();
  ring.bytes += bytes - kept.bytes;
  kept.bytes = bytes;
}

std::vector<std::shared_ptr<const RequestDetail>> History::list() {
  std::vector<std::shared_ptr<const RequestDetail>> list;
  list.reserve(size());
  for (Ring* ring : {&recent_, &notable_}) {
    for (std::size_t age = ring->count; age-- > 0;) list.push_back(ring->at(age).item->detail());
  }
  return list;
}

}  // namespace inlens::store
