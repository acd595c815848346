#include "validator/formats/hdf5/trace/watch.h"

#include <algorithm>
#include <array>
#include <format>
#include <utility>

#include "validator/formats/hdf5/lookup3.h"

namespace hepcheck::hdf5::trace {

void Times::cut(Pieces& pieces, std::uint64_t at) {
  auto next = pieces.upper_bound(at);
  if (next == pieces.begin()) return;
  const auto piece = std::prev(next);
  if (piece->first == at || piece->second.end <= at) return;
  pieces[at] = {piece->second.end, piece->second.time};
  piece->second.end = at;
}

void Times::write(const Span& span, std::int64_t time) {
  cut(last_, span.begin);
  cut(last_, span.end);
  last_.erase(last_.lower_bound(span.begin), last_.lower_bound(span.end));
  last_[span.begin] = {span.end, time};
  // First times are kept; the gaps between them are filled.
  std::uint64_t at = span.begin;
  auto piece = first_.upper_bound(at);
  if (piece != first_.begin() && std::prev(piece)->second.end > at)
    at = std::prev(piece)->second.end;
  while (at < span.end) {
    const std::uint64_t end = piece == first_.end() ? span.end : std::min(span.end, piece->first);
    if (at < end) first_[at] = {end, time};
    if (piece == first_.end()) break;
    at = std::max(end, piece->second.end);
    ++piece;
  }
}

std::int64_t Times::complete(const Span& span) const {
  std::int64_t latest = kBefore;
  std::uint64_t at = span.begin;
  auto piece = first_.upper_bound(at);
  if (piece != first_.begin()) --piece;
  for (; at < span.end && piece != first_.end(); ++piece) {
    if (piece->second.end <= at) continue;
    if (piece->first > at) return kNever;
    latest = std::max(latest, piece->second.time);
    at = piece->second.end;
  }
  return at < span.end ? kNever : latest;
}

std::int64_t Times::last(std::uint64_t address) const {
  auto piece = last_.upper_bound(address);
  if (piece == last_.begin()) return kNever;
  --piece;
  return piece->second.end > address ? piece->second.time : kNever;
}

std::string Step::where() const {
  const std::string_view name = !kind.empty()    ? kind
                                : within         ? within->kind
                                : !whole.empty() ? whole.front()->kind
                                                 : std::string_view("raw data");
  return std::format("write {}: {} @ {}", number, name, span.begin);
}

bool Step::foreign_to(const BlockSeen& block) const {
  if (event.memory == Memory::kRawData) return true;
  if (!kind.empty()) return kind != block.kind;
  const BlockSeen* now = after.block_at(block.span.begin);
  return !block.span.holds(span) || (now && now->kind == block.kind);
}

std::string Step::path() const {
  const BlockSeen* block = within ? within : !whole.empty() ? whole.front() : nullptr;
  if (!block) block = after.block_at(span.begin);
  if (!block) return "/";
  for (const Seen* seen : {&after, &before})
    if (const auto found = seen->objects().find(block->object); found != seen->objects().end())
      return found->second;
  return "/";
}

void Results::fail(const ClauseId& clause, std::string object, std::string where,
                   std::string observed, std::string expected, std::string hint) {
  ClauseOutcome& outcome = at(clause);
  ++outcome.examined;
  if (outcome.findings.size() == most_) {
    ++outcome.more;
    return;
  }
  outcome.findings.push_back({.object = std::move(object),
                              .where = std::move(where),
                              .observed = std::move(observed),
                              .expected = std::move(expected),
                              .hint = std::move(hint)});
}

void Results::fail(const ClauseId& clause, const Step& step, std::string observed,
                   std::string expected, std::string hint) {
  fail(clause, step.path(), step.where(), std::move(observed), std::move(expected),
       std::move(hint));
}

ClauseOutcome& Results::at(const ClauseId& clause) {
  ClauseOutcome& outcome = outcomes_[clause.str()];
  outcome.clause = clause.str();
  return outcome;
}

std::vector<ClauseOutcome> Results::take() && {
  std::vector<ClauseOutcome> all;
  for (auto& [clause, outcome] : outcomes_) all.push_back(std::move(outcome));
  return all;
}

std::uint64_t number_at(std::string_view bytes, std::size_t at, unsigned width) {
  std::uint64_t value = 0;
  if (at > bytes.size() || width > bytes.size() - at) return kUndefined;
  for (unsigned i = width; i > 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
  return value;
}

std::string_view kind_of(std::string_view bytes) {
  constexpr std::array<std::string_view, 20> kSignatures = {
      "OHDR", "OCHK", "BTHD", "BTIN", "BTLF", "EAHD", "EAIB", "EASB", "EADB", "FAHD",
      "FADB", "FRHP", "FHIB", "FHDB", "FSHD", "FSSE", "TREE", "SNOD", "HEAP", "GCOL"};
  if (bytes.starts_with("\x89HDF\r\n\x1a\n")) return "superblock";
  const auto found = std::ranges::find(kSignatures, bytes.substr(0, 4));
  return found == kSignatures.end() ? std::string_view() : *found;
}

bool of_statistics(std::string_view clause) {
  constexpr std::string_view kStatistics[] = {
      "swmr-earray-super-block-count", "swmr-earray-super-block-bytes",
      "swmr-earray-data-block-count",  "swmr-earray-data-block-bytes",
      "swmr-earray-max-index",         "swmr-earray-realized"};
  return std::ranges::contains(kStatistics, clause);
}
bool sum_holds(std::string_view kind, std::string_view bytes) {
  // Blocks without a checksum: the last, a direct block of a heap, depends on its heap.
  constexpr std::string_view kUnsummed[] = {"TREE", "SNOD", "HEAP", "GCOL", "FHDB"};
  if (std::ranges::contains(kUnsummed, kind)) return true;
  if (kind == "superblock" && bytes.size() > 8 && bytes[8] < 2) return true;
  const auto all = std::as_bytes(std::span(bytes));
  const auto holds = [&](std::size_t end) {
    return number_at(bytes, end, 4) == lookup3(all.first(end));
  };
  if (bytes.size() < 8) return false;
  if (holds(bytes.size() - 4)) return true;
  // Nodes of a tree have it after their records; several blocks may be written as one. Larger
  // writes than this are neither.
  constexpr std::size_t kMost = 8192;
  for (std::size_t end = 6; end + 4 <= std::min(bytes.size(), kMost); ++end)
    if (holds(end)) return true;
  return false;
}

}  // namespace hepcheck::hdf5::trace
