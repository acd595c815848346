#include "validator/formats/hdf5/addresses.h"

#include <algorithm>

namespace hepcheck::hdf5 {

namespace {

template <class Each>
std::vector<Each> each_once(std::vector<Each> all) {
  std::ranges::sort(all);
  const auto same = std::ranges::unique(all);
  all.erase(same.begin(), same.end());
  return all;
}

// The bytes are in the file as they are.
bool in_file(const Place& place) { return !place.kind.empty() && !place.decoded; }

}  // namespace

void record_address(const Place& place, std::uint64_t at, unsigned width, std::uint64_t value) {
  if (!in_file(place) || address_recording->in_fixed_bytes_ > 0)
    address_recording->add_fixed(value);
  else
    address_recording->add(
        StoredAddress{place.block + place.offset + at, value, width, address_recording->cached_});
}

void record_checksum(const Region& summed, std::uint64_t at) {
  const Place& place = summed.place;
  if (!in_file(place)) return;
  const std::uint64_t begin = place.block + place.offset;
  address_recording->add(StoredChecksum{begin, summed.size(), begin + at});
}

void AddressRecording::add(const StoredAddress& address) {
  full_ |= addresses_.size() >= kMost;
  if (!full_) addresses_.push_back(address);
}

void AddressRecording::add_fixed(std::uint64_t value) {
  full_ |= fixed_.size() >= kMost;
  if (!full_) fixed_.insert(value);
}

void AddressRecording::add(const StoredChecksum& checksum) {
  full_ |= checksums_.size() >= kMost;
  if (!full_) checksums_.push_back(checksum);
}

std::vector<StoredAddress> AddressRecording::addresses() const { return each_once(addresses_); }
std::vector<StoredChecksum> AddressRecording::checksums() const { return each_once(checksums_); }

}  // namespace hepcheck::hdf5
