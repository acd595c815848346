#include "validator/formats/hdf5/repair/repair_container.h"

#include <algorithm>
#include <array>
#include <format>
#include <optional>
#include <span>
#include <vector>

#include "validator/counted.h"
#include "validator/examine_file.h"
#include "validator/formats/hdf5/extensible_array.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/repair/pack.h"
#include "validator/formats/hdf5/repair/stored.h"
#include "validator/formats/hdf5/superblock.h"
#include "validator/formats/hdf5/walk.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::string_view kMarks = "swmr-superblock-status-closed";
constexpr std::string_view kEnd = "swmr-superblock-eof";
// Of versions 2 and 3.
constexpr std::size_t kFlagsAt = 11, kAddressesAt = 12;

// The superblock in its stored form: versions 2 and 3, which alone have a checksum.
class StoredSuperblock {
 public:
  static std::optional<StoredSuperblock> of(const Bytes& file) {
    const std::optional<std::uint64_t> position = find_signature(file);
    std::array<std::byte, kAddressesAt> head{};
    if (!position || !file.read(*position, head)) return std::nullopt;
    StoredSuperblock made;
    made.position_ = *position;
    made.version_ = std::to_integer<int>(head[8]);
    made.width_ = std::to_integer<std::size_t>(head[9]);
    if (made.version_ < 2 || made.version_ > 3 ||
        (made.width_ != 2 && made.width_ != 4 && made.width_ != 8))
      return std::nullopt;
    made.bytes_.resize(kAddressesAt + 4 * made.width_ + 4);
    if (!file.read(made.position_, made.bytes_)) return std::nullopt;
    return made;
  }

  int version() const { return version_; }
  std::uint64_t position() const { return position_; }
  std::span<const std::byte> bytes() const { return bytes_; }
  unsigned flags() const { return std::to_integer<unsigned>(bytes_[kFlagsAt]); }
  // From the first byte of the file, also of a file that was put behind other data, whose addresses
  // moved with it.
  std::uint64_t end() const {
    return number(bytes_, kAddressesAt + 2 * width_, width_) - base() + position_;
  }
  bool checksum_right() const {
    return number(bytes_, bytes_.size() - 4, 4) ==
           lookup3(std::span(bytes_).first(bytes_.size() - 4));
  }
  std::uint64_t most() const { return width_ == 8 ? ~std::uint64_t{0} : (1ULL << 8 * width_) - 1; }

  void set_flags(unsigned flags) { bytes_[kFlagsAt] = static_cast<std::byte>(flags); }
  void set_end(std::uint64_t end) {
    put(bytes_, kAddressesAt + 2 * width_, width_, end - position_ + base());
  }
  void renew_checksum() { hdf5::renew_checksum(bytes_); }

 private:
  std::uint64_t base() const { return number(bytes_, kAddressesAt, width_); }

  std::uint64_t position_ = 0;
  int version_ = 0;
  std::size_t width_ = 8;
  std::vector<std::byte> bytes_{};
};

SubjectReport examined(const Bytes& file, const ContainerRepair& request) {
  FileOptions options = request.file;
  options.examine.only.clear();
  options.examine.max_findings = 1000;
  options.examine.describe_columns = options.examine.describe_answers = false;
  FileReport report = examine_bytes(file, {.spec = request.spec, .options = options});
  SubjectReport subject;
  if (!report.subjects.empty()) subject = std::move(report.subjects.front());
  if (report.error) subject.notes.push_back(report.error->text());
  return subject;
}

// About the lists of free space alone. A wrong checksum is about bytes that were changed.
bool about_free_space(std::string_view clause) {
  return (clause.starts_with("h5-free-space-") || clause.starts_with("h5-fsinfo-") ||
          clause == "h5-paged-section") &&
         !clause.contains("checksum");
}

std::string why_left(std::string_view clause) {
  if (clause.contains("checksum"))
    return "a wrong checksum shows that bytes changed after they were written; a new one would "
           "hide it";
  if (clause.starts_with("h5-risk-"))
    return "it is no defect, and how the file is used is for its owner to say";
  if (about_free_space(clause))
    return "the list of free space is needed, or other parts of the file depend on it; h5repack "
           "writes all objects again";
  if (clause == kEnd || clause.contains("inside-eof"))
    return "bytes that the file refers to are not in it";
  return "the bytes that were meant are not in the file";
}

bool selected(const ContainerRepair& request, std::string_view id) {
  const Clause* clause = request.spec->find(id);
  return !clause || is_selected(request.only, *clause);
}

// The marks of a writer that did not close the file, and the end that readers of the open file
// used.
Result<void> close_file(Rewrite& copy, const ContainerRepair& request, StoredSuperblock block,
                        RepairedSubject& made) {
  const std::uint64_t size = copy.size(), end = block.end();
  // Readers take what is beyond the end of the file for zeros; only a file of this size reads so.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  if (end > size && end - size > std::max(size, kMost))
    return failure("", "its end-of-file address is far beyond its end");
  made.changes.push_back({.clause = std::string(kMarks),
                          .object = "/",
                          .act = "marks of a file that is open for writing cleared",
                          .from = std::format("status flags {:#04x}", block.flags()),
                          .to = "status flags 0x00"});
  constexpr unsigned kSwmr = 4;
  if ((block.flags() & kSwmr) == 0)
    made.notes.emplace_back(
        "the writer did not write under SWMR, so its writes may have been in any order: the values "
        "are those that the file contains, and may be the fill value where none were written yet");
  block.set_flags(0);
  if (end != size && size <= block.most() && selected(request, kEnd)) {
    made.changes.push_back(
        {.clause = std::string(kEnd),
         .object = "/",
         .act = end < size ? "end-of-file address set to the end of the file, which readers used"
                           : "file extended to its end-of-file address; readers saw zeros there",
         .from = std::format("end-of-file address {}, file of {} bytes", end, size),
         .to = std::format("{}", std::max(end, size))});
    if (end > size)
      copy.resize(end);
    else
      block.set_end(size);
  }
  block.renew_checksum();
  copy.write(block.position(), block.bytes());
  return {};
}

// A statistic in the header of an extensible array, in the order of the header.
struct Statistic {
  std::string_view clause, name;
  std::uint64_t EaStatistics::* value;
};
constexpr Statistic kStatistics[] = {
    {"swmr-earray-super-block-count", "super blocks", &EaStatistics::super_blocks},
    {"swmr-earray-super-block-bytes", "bytes of super blocks", &EaStatistics::super_block_bytes},
    {"swmr-earray-data-block-count", "data blocks", &EaStatistics::data_blocks},
    {"swmr-earray-data-block-bytes", "bytes of data blocks", &EaStatistics::data_block_bytes},
    {"swmr-earray-max-index", "elements up to the last chunk", &EaStatistics::max_index},
    {"swmr-earray-realized", "realized elements", &EaStatistics::realized},
};

bool has_error(const SubjectReport& report) {
  return report.clauses.size() == 0 || std::ranges::any_of(report.clauses, [](const auto& result) {
           return result.verdict == Verdict::kFail && result.severity == Severity::kError;
         });
}

// A writer writes the statistics of an extensible array after its blocks. In a closed file, they
// have to be those of the blocks, and the file has to be sound with them.
void renew_statistics(Rewrite& copy, const Bytes& file, const ContainerRepair& request,
                      RepairedSubject& made) {
  const std::optional<std::uint64_t> position = find_signature(file);
  if (!position) return;
  struct Header {
    std::uint64_t address;
    EaTotals totals;
    std::string object;
  };
  struct Old {
    std::uint64_t position;
    std::vector<std::byte> bytes;
  };
  std::vector<Header> headers;
  std::vector<Old> old;
  std::vector<RepairChange> changes;
  ContainerWalk* running = nullptr;
  ContainerWalk walk(
      file, *position, *request.spec, 1, request.file.limits,
      {.totals = [&](std::uint64_t address, const EaTotals& totals) {
        headers.push_back({address, totals, running->objects().path(running->notes().object())});
      }});
  running = &walk;
  walk.run();
  for (auto& [address, totals, object] : headers) {
    totals.found.max_index = std::max(totals.stated.max_index, totals.beyond_last);
    const std::uint64_t at = walk.container().base + address;
    const std::uint64_t length = totals.length_size;
    std::vector<std::byte> block(12 + 6 * length + walk.container().offset_size + kChecksum);
    if (!file.read(at, block)) continue;
    const std::vector<std::byte> before = block;
    for (std::size_t i = 0; i < std::size(kStatistics); ++i) {
      const auto& [clause, name, value] = kStatistics[i];
      const std::uint64_t stated = totals.stated.*value, found = totals.found.*value;
      if (stated == found || !selected(request, clause)) continue;
      put(block, 12 + i * length, length, found);
      changes.push_back({.clause = std::string(clause),
                         .object = object,
                         .act = "statistic in the header of the extensible array brought up "
                                "to date, which the writer had not written yet",
                         .from = std::format("{} {}", stated, name),
                         .to = std::format("{}, as found", found)});
    }
    if (block == before) continue;
    renew_checksum(block);
    copy.write(at, block);
    old.push_back({at, before});
  }
  if (!old.empty() && has_error(examined(file, request)))
    for (const Old& header : old) copy.write(header.position, header.bytes);
  else
    made.changes.insert(made.changes.end(), changes.begin(), changes.end());
}

// An end-of-file address beyond the end of the file: if the file is sound with the actual end,
// nothing refers to the bytes that are not there.
Result<void> shorten_end(Rewrite& copy, const ContainerRepair& request, StoredSuperblock block,
                         const Bytes& file, RepairedSubject& made) {
  const std::uint64_t size = copy.size(), end = block.end();
  if (end <= size || !selected(request, kEnd)) return {};
  const StoredSuperblock before = block;
  block.set_end(size);
  block.renew_checksum();
  copy.write(block.position(), block.bytes());
  if (has_error(examined(file, request))) {
    copy.write(before.position(), before.bytes());
    return {};
  }
  made.changes.push_back({.clause = std::string(kEnd),
                          .object = "/",
                          .act = "end-of-file address set to the end of the file: nothing refers "
                                 "to the bytes beyond it",
                          .from = std::format("{}, file of {} bytes", end, size),
                          .to = std::format("{}", size)});
  return {};
}

// Calls use(clause, finding) for every violation that counts.
template <class Use>
void for_each_violation(const SubjectReport& report, Use use) {
  for (const ClauseResult& result : report.clauses) {
    if (result.verdict != Verdict::kFail || result.severity < Severity::kWarning) continue;
    for (const Finding& finding : result.findings)
      if (finding.severity >= Severity::kWarning) use(*result.clause, finding);
  }
}

// Whether nothing is violated, remarks on how a file may be used aside.
bool sound(const SubjectReport& report) {
  bool made = !has_error(report);
  for_each_violation(report, [&](const Clause& clause, const Finding&) {
    made &= clause.id.starts_with("h5-risk-");
  });
  return made;
}

// What no structure of a file without errors reaches; none if that is not known.
std::optional<Unreached> unreached(const Bytes& file, const Limits& limits) {
  const std::optional<std::uint64_t> position = find_signature(file);
  if (!position) return std::nullopt;
  ContainerWalk walk(file, *position, default_revision("hdf5"), 1, limits, {.decode = true});
  walk.run();
  return walk.unreached();
}

// Bytes at the end of a sound file that no structure reaches, if the file is sound without them.
void drop_end(Rewrite& copy, const Bytes& file, ContainerRepair request, StoredSuperblock block,
              RepairedSubject& made) {
  request.spec = &default_revision("hdf5");  // lists of free space refer to such bytes, too
  if (!sound(examined(file, request))) return;
  const std::optional<Unreached> bytes = unreached(file, request.file.limits);
  if (!bytes || bytes->behind == 0) return;
  const StoredSuperblock before = block;
  const std::uint64_t end = block.end() - bytes->behind;
  block.set_end(end);
  block.renew_checksum();
  copy.write(block.position(), block.bytes());
  if (!sound(examined(file, request))) return copy.write(before.position(), before.bytes());
  made.changes.push_back({.clause = std::string(kEnd),
                          .object = "/",
                          .act = "unused bytes at the end of the file dropped: no structure of the "
                                 "file leads to them",
                          .from = std::format("end-of-file address {}", before.end()),
                          .to = std::format("{}", end)});
  copy.resize(end);
}

// The unused space that is left; `what`: of it.
void tell_unused(const Bytes& file, const Limits& limits, const std::string& what,
                 RepairedSubject& made) {
  const std::optional<Unreached> bytes = unreached(file, limits);
  if (!bytes) return;
  if (bytes->between > 0)
    made.notes.push_back(std::format(
        "{} of {} bytes are unused space inside the file, to which no structure leads; {}",
        bytes->between, file.size(), what));
  if (bytes->behind > 0)
    made.notes.push_back(
        std::format("{} bytes at the end of the file are unused; {}", bytes->behind, what));
}

// The library opens the copy for writing and closes it; true if the result is sound.
bool list_again(Rewrite& copy, const std::string& name, const ContainerRepair& request) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  if (!request.reopened || copy.size() > kMost) return false;
  std::vector<std::byte> image(copy.size());
  if (!Bytes::of_descriptor(copy.descriptor(), name).read(0, image)) return false;
  const Result<std::vector<std::byte>> again = request.reopened(image);
  if (!again || !sound(examined(Bytes::of_image(*again, name), request))) return false;
  copy.write(0, *again);
  copy.resize(again->size());
  return true;
}

// Removes the addresses of the lists from the file space info message; true if the file is sound
// without them. What they listed stays unused.
bool forget_lists(Rewrite& copy, const Bytes& file, const ContainerRepair& request) {
  const std::optional<std::uint64_t> position = find_signature(file);
  if (!position) return false;
  ContainerWalk walk(file, *position, *request.spec, 1, request.file.limits, {});
  walk.run();
  const std::optional<Overwrite> changed = without_lists(walk, file);
  if (!changed) return false;
  std::vector<std::byte> before(changed->bytes.size());
  if (!file.read(changed->position, before)) return false;
  copy.write(changed->position, changed->bytes);
  if (sound(examined(file, request))) return true;
  copy.write(changed->position, before);
  return false;
}

// If only lists of free space are wrong, and the file is sound with new ones or without them.
void mend_free_space(Rewrite& copy, const std::string& name, const ContainerRepair& request,
                     RepairedSubject& made) {
  const Bytes file = Bytes::of_descriptor(copy.descriptor(), name);
  std::vector<RepairChange> changes;
  bool all = true;
  for_each_violation(examined(file, request), [&](const Clause& clause, const Finding& finding) {
    if (clause.id.starts_with("h5-risk-")) return;  // a remark about what a file contains
    all &= about_free_space(clause.id) && is_selected(request.only, clause);
    changes.push_back({.clause = std::string(clause.id),
                       .object = finding.object,
                       .attribute = finding.attribute,
                       .from = finding.observed});
  });
  if (!all || changes.empty()) return;
  std::string act;
  if (list_again(copy, name, request))
    act =
        "free space listed again by the HDF5 library, which opened and closed the copy; no "
        "object was changed";
  else if (forget_lists(copy, file, request))
    act = "lists of free space dropped: the space stays unused; no object was changed";
  else
    return;
  for (RepairChange& change : changes) {
    change.act = act;
    made.changes.push_back(std::move(change));
  }
}

}  // namespace

Result<RepairedSubject> repair_container(Rewrite& copy, const std::string& name,
                                         const ContainerRepair& request) {
  const auto bytes = [&] { return Bytes::of_descriptor(copy.descriptor(), name); };
  RepairedSubject made{.kind = "container", .path = "/", .spec = std::string(request.spec->id)};
  if (!find_signature(bytes()))
    return failure(name, "not an HDF5 file: the superblock signature is missing");
  std::string obstacle;
  bool closed = false;
  if (const auto block = StoredSuperblock::of(bytes())) {
    const bool marked = block->version() == 3 && block->flags() != 0;
    if (marked && selected(request, kMarks)) {
      if (!block->checksum_right())
        obstacle = "the checksum of the superblock is wrong, so its flags cannot be trusted";
      else if (const auto done = close_file(copy, request, *block, made); !done)
        obstacle = done.error().cause;
      closed = obstacle.empty();
    }
    if (!marked && obstacle.empty() && block->checksum_right())
      if (const auto done = shorten_end(copy, request, *block, bytes(), made); !done)
        return std::unexpected(done.error());
    // Nothing can refer to bytes after the end of a file that was closed.
    const std::uint64_t end = block->end();
    if (request.compact && !marked && block->checksum_right() && end < copy.size() &&
        end >= block->position() + block->bytes().size()) {
      made.changes.push_back({.clause = std::string(kEnd),
                              .object = "/",
                              .act = "bytes after the end-of-file address dropped",
                              .from = std::format("file of {} bytes", copy.size()),
                              .to = std::format("{} bytes", end)});
      copy.resize(end);
    }
    if (request.compact && !marked && block->checksum_right())
      if (const auto now = StoredSuperblock::of(bytes()); now && now->end() <= copy.size())
        drop_end(copy, bytes(), request, *now, made);
  }
  // The size counts before the file is examined again.
  if (const auto settled = copy.finish(); !settled) return std::unexpected(settled.error());
  if (closed) renew_statistics(copy, bytes(), request, made);
  mend_free_space(copy, name, request, made);
  if (const auto settled = copy.finish(); !settled) return std::unexpected(settled.error());
  const SubjectReport report = examined(bytes(), request);
  for_each_violation(report, [&](const Clause& clause, const Finding& finding) {
    RepairLeft left{.clause = std::string(clause.id),
                    .object = finding.object,
                    .attribute = finding.attribute,
                    .where = finding.where,
                    .observed = finding.observed,
                    .expected = finding.expected,
                    .why = why_left(clause.id)};
    if (!is_selected(request.only, clause)) left.why = "not selected by --only";
    if (clause.id == kMarks && !obstacle.empty()) left.why = obstacle;
    made.left.push_back(std::move(left));
  });
  made.notes.insert(made.notes.end(), report.notes.begin(), report.notes.end());
  if (!has_error(report) && !request.compact)
    tell_unused(bytes(), request.file.limits, "--compact drops them if nothing depends on them",
                made);
  return made;
}

RepairedSubject pack_container(const Bytes& file, Rewrite& to, const Limits& limits) {
  RepairedSubject made{
      .kind = "container", .path = "/", .spec = std::string(default_revision("hdf5").id)};
  const Result<Packed> packed = pack(file, to, limits);
  if (!packed) {
    tell_unused(file, limits, "they stay: " + packed.error().text(), made);
    return made;
  }
  if (packed->size_after < packed->size_before)
    made.changes.push_back(
        {.clause = std::string(kEnd),
         .object = "/",
         .act = std::format("unused space dropped: {} moved, {} of them changed where they are "
                            "stored, and {} of the blocks made again{}",
                            counted(packed->structures, "structure"),
                            counted(packed->addresses, "address", "addresses"),
                            counted(packed->checksums, "checksum"),
                            packed->lists ? "; lists of free space dropped" : ""),
         .from = std::format("file of {} bytes, {} of them unused", packed->size_before,
                             packed->unused_before),
         .to =
             std::format("{} bytes, {} of them unused", packed->size_after, packed->unused_after)});
  if (packed->unused_after > 0)
    made.notes.push_back(
        std::format("{} of {} bytes stay unused: {}", packed->unused_after, packed->size_after,
                    packed->fixed > 0
                        ? std::format("{} cannot be moved, because {} in compressed values, or in "
                                      "messages that have a hash elsewhere",
                                      counted(packed->fixed, "structure"),
                                      packed->fixed > 1 ? "their addresses are" : "its address is")
                        : "structures keep the remainder of their address modulo 8"));
  return made;
}

}  // namespace hepcheck::hdf5
