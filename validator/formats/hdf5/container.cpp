#include "validator/formats/hdf5/container.h"

#include <algorithm>
#include <format>

namespace hepcheck::hdf5 {

namespace {

// The claimed position of a block in the file.
struct Reach {
  const Container& file;
  std::uint64_t address, size;
};

constexpr Rule kRule("swmr-block-inside-eof", [](const Reach& block, Look& look) {
  look.looked();
  if (block.file.inside(block.address, block.size)) return;
  look.fail(0,
            block.address == kUndefined
                ? std::string("an undefined address")
                : std::format("{} bytes at address {}", block.size, block.address),
            std::format("a block that ends by {}, the end of the file", block.file.end));
});

// A reader has reason to read every byte a few times.
constexpr std::uint64_t kTimes = 8, kSmall = std::uint64_t{1} << 20;

}  // namespace

void reach_rules(RuleList& list) { list.structure<kRule>(); }

Container::Container(const Bytes& file, const Limits& limits, Notes& told)
    : notes(told), windows_(file), limits_(limits),
      budget_(sum(product(file.size(), kTimes), kSmall)) {}

void Container::read_for_values() {
  constexpr std::uint64_t kTimesForValues = 64;
  for_values = true;
  budget_.add(product(file().size(), kTimesForValues));
}

std::optional<Block> Container::block(std::string_view kind, std::uint64_t address,
                                      std::uint64_t size) {
  if (exhausted_ || !judge<kRule>(Reach{*this, address, size}, place(kind, address), notes))
    return std::nullopt;
  Block made(size, place(kind, address));
  if (!read(address, made.bytes())) return std::nullopt;
  return made;
}

std::optional<Block> Container::beginning(std::string_view kind, std::uint64_t address,
                                          std::uint64_t most) {
  const std::uint64_t there = address < end ? end - address : 1;
  return block(kind, address, std::min(there, most));
}

bool Container::read(std::uint64_t address, std::span<std::byte> into) {
  if (exhausted_) return false;
  if (budget_.spend(into.size()) && windows_.read(base + address, into)) {
    if (!replaced_.empty()) overlay(address, into);
    return true;
  }
  give_up(std::format("the block at {}", base + address));
  return false;
}

void Container::overlay(std::uint64_t address, std::span<std::byte> into) const {
  auto it = replaced_.upper_bound(address);
  if (it != replaced_.begin()) --it;
  for (const std::uint64_t last = address + into.size(); it != replaced_.end() && it->first < last;
       ++it) {
    const auto& [begin, bytes] = *it;
    const std::uint64_t from = std::max(begin, address), to = std::min(begin + bytes.size(), last);
    if (from < to) std::ranges::copy(bytes.subspan(from - begin, to - from), &into[from - address]);
  }
}

bool Container::may_be_elsewhere(std::uint64_t address, std::uint64_t size) {
  if (!spread_unknown || inside(address, size)) return false;
  if (!std::exchange(told_elsewhere_, true))
    notes.not_examined("swmr-chunk-inside-file",
                       "raw data that a driver may have in another file: the information about the "
                       "driver cannot be read, or names one that is not known");
  return true;
}

bool Container::charge(std::uint64_t bytes) {
  if (budget_.spend(bytes)) return true;
  if (!exhausted_) give_up("the next block");
  return false;
}

void Container::give_up(std::string where) {
  exhausted_ = true;
  notes.not_examined("swmr-block-inside-eof", std::move(where) +
                                                  " and everything after it: the file cannot be "
                                                  "read, or refers to the same bytes repeatedly");
}

Container::Met Container::meet(std::uint64_t address, std::uint32_t structure) {
  const auto [met, fresh] = met_.try_emplace(address, structure);
  if (for_values && met != structure) {
    met = structure;
    return Met::kFirst;
  }
  return fresh ? Met::kFirst : met == structure ? Met::kInThisOne : Met::kInAnother;
}

}  // namespace hepcheck::hdf5
