#include "validator/formats/hdf5/repair/pack.h"

#include <algorithm>
#include <format>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validator/formats/hdf5/addresses.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/repair/stored.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/walk.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kAlignment = 8;

// --- What the reader finds ----------------------------------------------------------------------

struct Structure {
  std::uint64_t address = 0, size = 0;
  std::string_view kind{};
  bool raw = false;

  std::uint64_t end() const { return address + size; }
  bool operator==(const Structure&) const = default;
};

struct Found {
  std::uint64_t base = 0, end = 0;
  std::uint64_t unused = 0;
  std::uint64_t end_at = 0, stated_end = 0, width = 0;  // the end-of-file address, as stored
  std::vector<Structure> structures{};                  // by address
  std::vector<StoredAddress> addresses{};
  std::vector<StoredChecksum> checksums{};
  std::set<std::uint64_t> fixed{};
  std::optional<std::uint64_t> allocation_end_at{};
  std::optional<Overwrite> without_lists{};
  bool lists = false;
  std::vector<std::string> violated{};  // clauses, except about the risks of a file
};

// Why not all addresses of a file are known; empty if they are.
std::string obstacle(const ContainerWalk& walk, const AddressRecording& recording) {
  const auto& left_out = walk.notes().not_examined();
  if (!walk.not_examined().empty()) return walk.not_examined();
  if (walk.superblock().one_of_several) return "its addresses are spread over several files";
  if (walk.cache_image()) return "it has an image of the metadata cache";
  if (walk.container().open_for_writing) return "it is open for writing";
  if (walk.space() && (walk.space()->paged() || !walk.space()->pages_known()))
    return "its space is managed in pages";
  if (!left_out.empty()) return "not examined: " + left_out.front().reason;
  if (!walk.unreached()) return "it has errors, or was not read completely";
  if (recording.unknown_message()) return "it has a message of an unknown type";
  if (recording.full()) return "it has more addresses than can be remembered";
  return {};
}

// `replaced`: bytes that count in place of those in the file.
Result<Found> find(const Bytes& file, const Limits& limits, const Overwrite* replaced) {
  const std::optional<std::uint64_t> position = find_signature(file);
  if (!position) return failure("", "it is not an HDF5 file");
  AddressRecording recording;
  ContainerWalk walk(file, *position, default_revision("hdf5"), 1, limits,
                     {.decode = true, .only_addresses = true});
  if (replaced) walk.container().replace(replaced->position - *position, replaced->bytes);
  walk.run();
  if (std::string why = obstacle(walk, recording); !why.empty()) return failure("", std::move(why));
  Container& container = walk.container();
  Found found{.base = *position,
              .end = container.end,
              .unused = walk.unreached()->between + walk.unreached()->behind,
              .end_at = *position + walk.superblock().end_of_file_at(),
              .stated_end = walk.superblock().end_of_file,
              .width = walk.superblock().offset_size,
              .addresses = recording.addresses(),
              .checksums = recording.checksums(),
              .fixed = recording.fixed(),
              .allocation_end_at = allocation_end_at(walk),
              .without_lists = without_lists(walk, file)};
  if (const auto& space = walk.space())
    found.lists =
        std::ranges::any_of(space->managers, [](std::uint64_t each) { return each != kUndefined; });
  for (const std::string& clause : walk.notes().broken())
    if (!clause.starts_with("h5-risk-")) found.violated.push_back(clause);
  for (const Extent& each : container.extents.sorted())
    found.structures.push_back(
        {each.address, each.size, container.extents.kind(each), container.extents.is_raw(each)});
  return found;
}

// The same with adjacent raw data as one: the reader takes it for one if it has one owner.
std::vector<Structure> joined(const std::vector<Structure>& structures) {
  std::vector<Structure> made;
  for (const Structure& each : structures)
    if (each.raw && !made.empty() && made.back().raw && made.back().end() == each.address)
      made.back().size += each.size;
    else
      made.push_back(each);
  return made;
}

// --- Where everything goes ----------------------------------------------------------------------

class Moves {
 public:
  // None if structures share bytes.
  static std::optional<Moves> of(const Found& found) {
    Moves made;
    auto fixed = found.fixed.begin();
    std::uint64_t end = 0, old_end = 0;
    for (const Structure& each : found.structures) {
      if (each.address < old_end) return std::nullopt;
      while (fixed != found.fixed.end() && *fixed < each.address) ++fixed;
      const bool stays = fixed != found.fixed.end() && *fixed < each.end();
      const std::uint64_t gap = each.address - end;
      const std::uint64_t to = stays ? each.address : each.address - gap / kAlignment * kAlignment;
      made.all_.push_back({each.address, each.end(), to});
      made.fixed_ += stays;
      made.moved_ += to != each.address;
      made.unused_ += to - end;
      end = to + each.size;
      old_end = each.end();
    }
    made.end_ = end;
    return made;
  }

  struct Move {
    std::uint64_t begin, end, to;
  };
  const std::vector<Move>& all() const { return all_; }
  std::uint64_t end() const { return end_; }
  std::uint64_t unused() const { return unused_; }
  std::uint64_t moved() const { return moved_; }
  std::uint64_t fixed() const { return fixed_; }

  // Where the bytes are then; none if they are not all in one structure.
  std::optional<std::uint64_t> of(std::uint64_t address, std::uint64_t size) const {
    const auto after = std::ranges::upper_bound(all_, address, {}, &Move::begin);
    if (after == all_.begin()) return std::nullopt;
    const Move& move = *std::prev(after);
    if (address >= move.end || size > move.end - address) return std::nullopt;
    return move.to + (address - move.begin);
  }

 private:
  std::vector<Move> all_{};
  std::uint64_t end_ = 0, unused_ = 0, moved_ = 0, fixed_ = 0;
};

// What the reader has to find afterwards.
Result<Found> moved(const Found& found, const Moves& moves) {
  Found made{
      .base = found.base, .end = moves.end(), .fixed = found.fixed, .violated = found.violated};
  for (std::size_t i = 0; i < found.structures.size(); ++i) {
    made.structures.push_back(found.structures[i]);
    made.structures.back().address = moves.all()[i].to;
  }
  for (const StoredAddress& each : found.addresses) {
    const auto at = moves.of(each.position - found.base, each.width);
    auto value = moves.of(each.value, 1);
    if (!value && each.cached) value = each.value;
    if (!at) return failure("", std::format("the address at {} is in no structure", each.position));
    if (!value)
      return failure("", std::format("the address at {} leads to {}, where nothing is",
                                     each.position, found.base + each.value));
    made.addresses.push_back({found.base + *at, *value, each.width, each.cached});
  }
  for (const StoredChecksum& each : found.checksums) {
    const auto begin = moves.of(each.begin - found.base, each.size);
    const auto at = moves.of(each.position - found.base, kChecksum);
    if (!begin || !at)
      return failure("", std::format("the checksum at {} is in no structure", each.position));
    made.checksums.push_back({found.base + *begin, each.size, found.base + *at});
  }
  for (const std::uint64_t value : found.fixed)
    if (moves.of(value, 1) != value)
      return failure("", std::format("an address that cannot be changed leads to {}, where nothing "
                                     "is",
                                     found.base + value));
  return made;
}

// --- Writing ------------------------------------------------------------------------------------

// Changes a file in pieces that are worth a system call.
class Editor {
 public:
  explicit Editor(Rewrite& file) : file_(file) {}

  // Empty if the bytes cannot be read. Valid until the next call.
  std::span<std::byte> at(std::uint64_t position, std::uint64_t size) {
    constexpr std::uint64_t kWindow = std::uint64_t{64} << 10;
    if (position < begin_ || position + size > begin_ + window_.size()) {
      flush();
      const Bytes bytes = Bytes::of_descriptor(file_.descriptor(), "");
      if (position + size > bytes.size()) return {};
      window_.resize(std::max(size, std::min(kWindow, bytes.size() - position)));
      begin_ = position;
      if (!bytes.read(position, window_)) return {};
    }
    return std::span(window_).subspan(position - begin_, size);
  }
  void put(std::span<std::byte> bytes, std::uint64_t value) {
    hdf5::put(bytes, 0, bytes.size(), value);
    changed_ = true;
  }
  void flush() {
    if (changed_) file_.write(begin_, window_);
    changed_ = false;
    window_.clear();
  }

 private:
  Rewrite& file_;
  std::vector<std::byte> window_{};
  std::uint64_t begin_ = 0;
  bool changed_ = false;
};

bool copy(const Bytes& from, std::uint64_t at, std::uint64_t size, Rewrite& to,
          std::uint64_t there) {
  constexpr std::uint64_t kStep = std::uint64_t{1} << 20;
  std::vector<std::byte> bytes;
  for (std::uint64_t done = 0; done < size && !to.failed(); done += bytes.size()) {
    bytes.resize(std::min(kStep, size - done));
    if (!from.read(at + done, bytes)) return false;
    to.write(there + done, bytes);
  }
  return !to.failed();
}

// What is adjacent before and afterwards is copied at once.
bool copy_structures(const Bytes& file, std::uint64_t base, const Moves& moves, Rewrite& to) {
  const std::vector<Moves::Move>& all = moves.all();
  for (std::size_t i = 0, next = 0; i < all.size(); i = next) {
    for (next = i + 1; next < all.size() && all[next].begin == all[next - 1].end &&
                       all[next].begin - all[next].to == all[i].begin - all[i].to;)
      ++next;
    if (!copy(file, base + all[i].begin, all[next - 1].end - all[i].begin, to, base + all[i].to))
      return false;
  }
  return true;
}

// The positions of the changes, by position. What is there has to be the old address.
Result<std::vector<std::uint64_t>> change_addresses(const Found& before, const Found& after,
                                                    Editor& editor) {
  std::vector<std::uint64_t> changed;
  for (std::size_t i = 0; i < before.addresses.size(); ++i) {
    const auto& [position, value, width, cached] = after.addresses[i];
    const std::span<std::byte> bytes = editor.at(position, width);
    if (bytes.empty() || number(bytes, 0, width) != before.addresses[i].value)
      return failure(
          "", std::format("the place of the address {} is not known", before.addresses[i].value));
    if (value == before.addresses[i].value) continue;
    editor.put(bytes, value);
    changed.push_back(position);
  }
  return changed;
}

// Of the blocks with a changed byte; the number of checksums.
std::optional<std::uint64_t> change_checksums(const Found& after,
                                              const std::vector<std::uint64_t>& changed,
                                              Editor& editor) {
  std::uint64_t made = 0;
  for (const StoredChecksum& each : after.checksums) {
    const auto first = std::ranges::lower_bound(changed, each.begin);
    if (first == changed.end() || *first >= each.begin + each.size) continue;
    const std::span<const std::byte> bytes = editor.at(each.begin, each.size);
    if (bytes.empty()) return std::nullopt;
    std::vector<std::byte> summed(bytes.begin(), bytes.end());
    if (each.inside())
      std::ranges::fill(std::span(summed).subspan(each.position - each.begin, kChecksum),
                        std::byte{0});
    const std::span<std::byte> at = editor.at(each.position, kChecksum);
    if (at.empty()) return std::nullopt;
    editor.put(at, lookup3(summed));
    ++made;
  }
  return made;
}

}  // namespace

Result<Packed> pack(const Bytes& file, Rewrite& to, const Limits& limits) {
  Result<Found> before = find(file, limits, nullptr);
  if (!before) return std::unexpected(before.error());
  Packed made{.size_before = file.size(),
              .size_after = file.size(),
              .unused_before = before->unused,
              .unused_after = before->unused,
              .lists = before->lists};
  const std::optional<Overwrite> lists = std::move(before->without_lists);
  if (lists) {
    before = find(file, limits, &*lists);
    if (!before) return std::unexpected(before.error());
  }
  const std::optional<Moves> moves = Moves::of(*before);
  if (!moves) return failure("", "two structures share bytes");
  made.fixed = moves->fixed();
  const std::uint64_t base = before->base, size = base + moves->end();
  if (size >= file.size()) return made;
  const Result<Found> wanted = moved(*before, *moves);
  if (!wanted) return std::unexpected(wanted.error());

  to.resize(size);
  const auto trouble = [&] {
    return failure("", to.what_failed() ? to.what_failed()->text() : "the copy cannot be read");
  };
  if (!copy(file, 0, base, to, 0) || !copy_structures(file, base, *moves, to)) return trouble();
  if (lists) {
    const auto at = moves->of(lists->position - base, lists->bytes.size());
    if (!at) return failure("", "the lists of free space are in no structure");
    to.write(base + *at, lists->bytes);
  }
  Editor editor(to);
  Result<std::vector<std::uint64_t>> changed = change_addresses(*before, *wanted, editor);
  if (!changed) return std::unexpected(changed.error());
  made.addresses = changed->size();
  const auto change_end = [&](std::uint64_t address, std::uint64_t value) {
    const auto at = moves->of(address - base, before->width);
    const auto bytes = at ? editor.at(base + *at, before->width) : std::span<std::byte>();
    if (bytes.empty()) return false;
    editor.put(bytes, value);
    changed->insert(std::ranges::upper_bound(*changed, base + *at), base + *at);
    return true;
  };
  const std::uint64_t shorter = before->end - moves->end();
  if (!change_end(before->end_at, before->stated_end - shorter) ||
      (before->allocation_end_at && !change_end(*before->allocation_end_at, moves->end())))
    return trouble();
  const auto checksums = change_checksums(*wanted, *changed, editor);
  if (!checksums) return trouble();
  editor.flush();
  if (to.failed()) return trouble();

  const Result<Found> after =
      find(Bytes::of_descriptor(to.descriptor(), file.name()), limits, nullptr);
  if (!after) return failure("", "moved structures cannot be read again: " + after.error().cause);
  if (joined(after->structures) != joined(wanted->structures) ||
      after->addresses != wanted->addresses || after->checksums != wanted->checksums ||
      after->fixed != wanted->fixed || after->end != wanted->end ||
      after->violated != wanted->violated)
    return failure("", "moved structures are not read as they were before");
  made.size_after = size;
  made.unused_after = after->unused;
  made.structures = moves->moved();
  made.checksums = *checksums;
  return made;
}

}  // namespace hepcheck::hdf5
