// What is known about addresses in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hepcheck::hdf5 {

// A hash table in one block of memory: there is an entry for each structure of a file. Its order
// depends on the process, so a file cannot be made to fill it badly.
template <class Value>
class AddressMap {
 public:
  // The value of an address, and whether it is new, with this value. The reference is valid until
  // the next call.
  struct Found {
    Value& value;
    bool fresh;
  };
  Found try_emplace(std::uint64_t address, Value value) {
    if (2 * count_ >= slots_.size()) grow();
    Slot& slot = slots_[place(address)];
    if (slot.used) return {slot.value, false};
    slot = {address, value, true};
    ++count_;
    return {slot.value, true};
  }
  // Null if the address is not known.
  const Value* find(std::uint64_t address) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place(address)];
    return slot.used ? &slot.value : nullptr;
  }

 private:
  struct Slot {
    std::uint64_t address = 0;
    Value value{};
    bool used = false;
  };

  // The slot of an address, or the free one where it belongs.
  std::size_t place(std::uint64_t address) const {
    std::uint64_t mixed = address ^ seed_;
    mixed ^= mixed >> 33;
    mixed *= 0xff51afd7ed558ccdu;
    mixed ^= mixed >> 33;
    mixed *= 0xc4ceb9fe1a85ec53u;
    mixed ^= mixed >> 33;
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mixed & mask;
    while (slots_[at].used && slots_[at].address != address) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> before = std::exchange(slots_, {});
    slots_.resize(before.empty() ? 64 : 2 * before.size());
    for (const Slot& slot : before)
      if (slot.used) slots_[place(slot.address)] = slot;
  }

  std::uint64_t seed_ = reinterpret_cast<std::uintptr_t>(this);
  std::vector<Slot> slots_{};  // a power of two, or none
  std::size_t count_ = 0;
};

}  // namespace hepcheck::hdf5
