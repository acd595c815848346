#include "validator/formats/hdf5/repair/repair_container.h"

#include <algorithm>
#include <array>
#include <format>
#include <optional>
#include <span>
#include <vector>

#include "validator/examine_file.h"
#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/superblock.h"

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
  std::uint64_t base() const { return number(kAddressesAt, width_); }
  std::uint64_t end() const { return number(kAddressesAt + 2 * width_, width_); }
  bool checksum_right() const {
    return number(bytes_.size() - 4, 4) == lookup3(std::span(bytes_).first(bytes_.size() - 4));
  }
  std::uint64_t most() const { return width_ == 8 ? ~std::uint64_t{0} : (1ULL << 8 * width_) - 1; }

  void set_flags(unsigned flags) { bytes_[kFlagsAt] = static_cast<std::byte>(flags); }
  void set_end(std::uint64_t end) { put(kAddressesAt + 2 * width_, width_, end); }
  void renew_checksum() {
    put(bytes_.size() - 4, 4, lookup3(std::span(bytes_).first(bytes_.size() - 4)));
  }

 private:
  std::uint64_t number(std::size_t at, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value |= std::to_integer<std::uint64_t>(bytes_[at + i]) << (8 * i);
    return value;
  }
  void put(std::size_t at, std::size_t size, std::uint64_t value) {
    for (std::size_t i = 0; i < size; ++i)
      bytes_[at + i] = static_cast<std::byte>(value >> (8 * i));
  }

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

std::string why_left(std::string_view clause) {
  if (clause.contains("checksum"))
    return "a wrong checksum shows that bytes changed after they were written; a new one would "
           "hide it";
  if (clause.starts_with("h5-risk-"))
    return "it is no defect, and how the file is used is for its owner to say";
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

bool has_error(const SubjectReport& report) {
  return report.clauses.size() == 0 || std::ranges::any_of(report.clauses, [](const auto& result) {
           return result.verdict == Verdict::kFail && result.severity == Severity::kError;
         });
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

// About the lists of free space alone. A wrong checksum is about bytes that were changed.
bool about_free_space(std::string_view clause) {
  return (clause.starts_with("h5-free-space-") || clause.starts_with("h5-fsinfo-") ||
          clause == "h5-paged-section") &&
         !clause.contains("checksum");
}

// If only lists of free space are wrong, and the file is sound with new ones, it gets them.
Result<void> list_free_space(Rewrite& copy, const std::string& name, const ContainerRepair& request,
                             RepairedSubject& made) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  if (!request.reopened || copy.size() > kMost) return {};
  const Bytes file = Bytes::of_descriptor(copy.descriptor(), name);
  std::vector<RepairChange> changes;
  bool all = true;
  for_each_violation(examined(file, request), [&](const Clause& clause, const Finding& finding) {
    if (clause.id.starts_with("h5-risk-")) return;  // a remark about what a file contains
    all &= about_free_space(clause.id) && is_selected(request.only, clause);
    changes.push_back({.clause = std::string(clause.id),
                       .object = finding.object,
                       .attribute = finding.attribute,
                       .act = "free space listed again by the HDF5 library, which opened and "
                              "closed the copy; no object was changed",
                       .from = finding.observed});
  });
  if (!all || changes.empty()) return {};
  std::vector<std::byte> image(copy.size());
  if (!file.read(0, image)) return failure(name, "it cannot be read");
  const Result<std::vector<std::byte>> again = request.reopened(image);
  if (!again) return {};
  bool sound = true;
  const SubjectReport report = examined(Bytes::of_image(*again, name), request);
  for_each_violation(report, [&](const Clause& clause, const Finding&) {
    sound &= clause.id.starts_with("h5-risk-");
  });
  if (!sound || has_error(report)) return {};
  copy.write(0, *again);
  copy.resize(again->size());
  made.changes.insert(made.changes.end(), changes.begin(), changes.end());
  return {};
}

}  // namespace

Result<RepairedSubject> repair_container(Rewrite& copy, const std::string& name,
                                         const ContainerRepair& request) {
  const auto bytes = [&] { return Bytes::of_descriptor(copy.descriptor(), name); };
  RepairedSubject made{.kind = "container", .path = "/", .spec = std::string(request.spec->id)};
  if (!find_signature(bytes()))
    return failure(name, "not an HDF5 file: the superblock signature is missing");
  std::string obstacle;
  if (const auto block = StoredSuperblock::of(bytes())) {
    const bool marked = block->version() == 3 && block->flags() != 0;
    if (marked && selected(request, kMarks)) {
      if (!block->checksum_right())
        obstacle = "the checksum of the superblock is wrong, so its flags cannot be trusted";
      else if (const auto done = close_file(copy, request, *block, made); !done)
        obstacle = done.error().cause;
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
  }
  // The size counts before the file is examined again.
  if (const auto settled = copy.finish(); !settled) return std::unexpected(settled.error());
  if (const auto done = list_free_space(copy, name, request, made); !done)
    return std::unexpected(done.error());
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
  made.notes = report.notes;
  return made;
}

}  // namespace hepcheck::hdf5
