// The places of addresses and of checksums, as the readers come to them (region.h): for moving the
// structures of a file. Nothing is recorded unless it is asked for.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

struct StoredAddress {
  std::uint64_t position = 0;  // from the first byte of the file
  std::uint64_t value = 0;     // relative to the base
  std::uint64_t width = 0;     // bytes of it
  bool cached = false;         // a copy that readers need not follow, and that may be out of date

  auto operator<=>(const StoredAddress&) const = default;
};

// Of lookup3.
struct StoredChecksum {
  std::uint64_t begin = 0, size = 0;  // of what it is about, from the first byte of the file
  std::uint64_t position = 0;         // of the checksum; if it is inside, zeros count there

  bool inside() const { return position - begin < size; }
  auto operator<=>(const StoredChecksum&) const = default;
};

// While it exists, the addresses and checksums that this thread reads are recorded.
class AddressRecording {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 25;

  AddressRecording() { address_recording = this; }
  AddressRecording(const AddressRecording&) = delete;
  AddressRecording& operator=(const AddressRecording&) = delete;
  ~AddressRecording() { address_recording = nullptr; }

  void add(const StoredAddress& address);
  // An address in bytes that cannot be changed.
  void add_fixed(std::uint64_t value);
  void add(const StoredChecksum& checksum);
  // A message that may have addresses, and is not read.
  void meet_unknown_message() { unknown_message_ = true; }
  bool unknown_message() const { return unknown_message_; }
  // There are more than can be remembered.
  bool full() const { return full_; }

  // Each once, by position.
  std::vector<StoredAddress> addresses() const;
  std::vector<StoredChecksum> checksums() const;
  // The addresses that stay as they are.
  const std::set<std::uint64_t>& fixed() const { return fixed_; }

 private:
  friend class FixedBytes;
  friend class CachedAddresses;

  std::vector<StoredAddress> addresses_{};
  std::vector<StoredChecksum> checksums_{};
  std::set<std::uint64_t> fixed_{};
  bool full_ = false, unknown_message_ = false;
  unsigned in_fixed_bytes_ = 0;
  bool cached_ = false;

  friend void record_address(const Place& place, std::uint64_t at, unsigned width,
                             std::uint64_t value);
};

// While it exists, no address is recorded: structures are read that others read, too.
class NoAddresses {
 public:
  NoAddresses() : recording_(std::exchange(address_recording, nullptr)) {}
  NoAddresses(const NoAddresses&) = delete;
  NoAddresses& operator=(const NoAddresses&) = delete;
  ~NoAddresses() { address_recording = recording_; }

 private:
  AddressRecording* recording_;
};

// While it exists, what is read cannot be changed, because its bytes have a hash elsewhere.
class FixedBytes {
 public:
  FixedBytes() : recording_(address_recording) {
    if (recording_) ++recording_->in_fixed_bytes_;
  }
  FixedBytes(const FixedBytes&) = delete;
  FixedBytes& operator=(const FixedBytes&) = delete;
  ~FixedBytes() {
    if (recording_) --recording_->in_fixed_bytes_;
  }

 private:
  AddressRecording* recording_;
};

// While it exists, the addresses are copies of others.
class CachedAddresses {
 public:
  CachedAddresses() {
    if (address_recording) address_recording->cached_ = true;
  }
  CachedAddresses(const CachedAddresses&) = delete;
  CachedAddresses& operator=(const CachedAddresses&) = delete;
  ~CachedAddresses() {
    if (address_recording) address_recording->cached_ = false;
  }
};

}  // namespace hepcheck::hdf5
