#include "validator/formats/hdf5/virtual_datasets.h"

#include <algorithm>
#include <format>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "validator/formats/hdf5/lookup3.h"
#include "validator/formats/hdf5/pages.h"
#include "validator/formats/hdf5/profile.h"
#include "validator/formats/hdf5/rule.h"
#include "validator/formats/hdf5/selection.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint32_t kMostHeapIndex = 65'535;
constexpr std::size_t kMostSources = 1'000'000;

// --- The block ----------------------------------------------------------------------------------

// The object of the heap that the layout names.
struct VirtualObject {
  std::uint64_t collection;
  std::uint32_t index;
  GlobalHeaps::Answer answer;
};

constexpr Rule kVirtualExistsRule("h5-virtual-block-exists", [](const VirtualObject& it,
                                                                Look& look) {
  if (it.answer == GlobalHeaps::Answer::kNotExamined) return;
  look.looked();
  if (it.answer == GlobalHeaps::Answer::kMissing)
    look.fail(0,
              std::format("mappings in object {} of the collection at {}", it.index, it.collection),
              "an object that the collection has");
});

struct MappingBlock {
  std::uint64_t size = 0, least = 0;  // bytes; of a block without mappings
  Summed checksum{};
  std::uint8_t version = 0;
  std::uint64_t count = 0;  // of the mappings, as stated

  // When the mappings have been read: how many, where the reading ended, and why.
  std::uint64_t read = 0, at = 0, rest = 0;
  bool cut = false;  // the block ends before a mapping does
};

void block_checksum(const MappingBlock& it, Look& look) {
  look.looked();
  if (it.size < it.least)
    look.fail(0, std::format("{} bytes", it.size),
              std::format("{} or more: version, number and checksum", it.least));
  else if (!it.checksum.good())
    look.fail(it.checksum.at, std::format("checksum {:#010x}", it.checksum.stored),
              std::format("{:#010x}", it.checksum.computed));
}

void block_version(const MappingBlock& it, Look& look) {
  look.looked();
  if (it.version > 1) look.fail(0, std::format("version {}", it.version), "version 0 or 1");
}

void entries_fit(const MappingBlock& it, Look& look) {
  look.looked();
  if (it.cut)
    look.fail(it.at, std::format("the block ends inside mapping {} of {}", it.read, it.count),
              "a block that holds its mappings");
  else if (it.rest > 0)
    look.fail(it.at, std::format("{} bytes after the last of {} mappings", it.rest, it.count),
              "the checksum");
}

constexpr Rule<MappingBlock> kMappingBlockRules[] = {
    {"h5-virtual-block-checksum", block_checksum},
    {"h5-virtual-block-version", block_version},
};
constexpr Rule kEntriesRule("h5-virtual-block-entries-fit", entries_fit);

// --- A mapping ----------------------------------------------------------------------------------

constexpr std::uint8_t kFileShared = 1, kDatasetShared = 2, kSameFile = 4;

struct SourceName {
  bool stored = false;                     // in this mapping
  std::optional<std::uint64_t> shared{};   // the number of the mapping that has it
  std::optional<std::string_view> text{};  // if it is known

  bool known() const { return text.has_value(); }
};

struct Mapping {
  std::uint64_t number = 0;  // counted from 0
  std::uint8_t flags = 0;    // version 1
  bool flagged = false;      // it has flags
  SourceName file{}, dataset{};
  Selection source{}, here{};
  const Dataspace* space = nullptr;  // of the virtual dataset

  bool same_file() const { return (flags & kSameFile) != 0 || file.text == "."; }
  // The number of elements of the virtual selection; none if that changes with the dataset.
  std::optional<std::uint64_t> elements_here() const {
    if (here.type != Selection::Type::kAll) return here.elements;
    if (!std::ranges::equal(space->size(), space->maximum())) return std::nullopt;
    return space->elements();
  }
  // The first dimension in which the virtual selection leads out of the dataset.
  std::optional<unsigned> outside() const {
    if (here.least.size() != space->rank) return std::nullopt;
    for (unsigned d = 0; d < space->rank; ++d)
      if (space->maxima[d] != kUndefined && last_here(d) >= space->maxima[d]) return d;
    return std::nullopt;
  }
  // The greatest coordinate; the least one of a selection without a limit.
  std::uint64_t last_here(unsigned d) const {
    return here.greatest[d] != kUndefined ? here.greatest[d] : here.least[d];
  }
};

void mapping_flags(const Mapping& it, Look& look) {
  if (!it.flagged) return;
  look.looked();
  const bool both = (it.flags & kFileShared) != 0 && (it.flags & kSameFile) != 0;
  if (it.flags > 7 || both)
    look.fail(0, std::format("flags {:#04x} of mapping {}", it.flags, it.number),
              both ? "a shared file name or the same file, not both" : "bits 3 to 7 clear");
}

void shared_name(const Mapping& it, Look& look) {
  for (const SourceName* name : {&it.file, &it.dataset}) {
    if (!name->shared) continue;
    look.looked();
    if (!name->known())
      return look.fail(0,
                       std::format("mapping {} shares the {} name of mapping {}", it.number,
                                   name == &it.file ? "file" : "dataset", *name->shared),
                       "an earlier mapping with a name of its own");
  }
}

void names_not_empty(const Mapping& it, Look& look) {
  for (const SourceName* name : {&it.file, &it.dataset}) {
    if (!name->stored) continue;
    look.looked();
    if (name->text->empty())
      look.fail(0,
                std::format("mapping {} without a name of its {}", it.number,
                            name == &it.file ? "file" : "dataset"),
                "a name", "Its part of the dataset reads as fill values.");
  }
}

constexpr Rule kFlagsRule("h5-virtual-block-flags", mapping_flags);
constexpr Rule kSharedNameRule("h5-virtual-block-shared-name", shared_name);
constexpr Rule kNamesRule("h5-virtual-names-not-empty", names_not_empty);

// Whether a name stands for many: a percent sign and b. Two percent signs stand for one.
bool is_pattern(std::string_view name) {
  for (std::size_t at = 0; at + 1 < name.size(); ++at) {
    if (name[at] != '%') continue;
    ++at;
    if (name[at] == 'b') return true;
  }
  return false;
}

void virtual_bounds(const Mapping& it, Look& look) {
  if (it.here.least.empty() || it.here.least.size() != it.space->rank) return;
  look.looked();
  if (const std::optional<unsigned> d = it.outside())
    look.fail(0,
              std::format("mapping {} of coordinate {} in dimension {} of size {} at most",
                          it.number, it.last_here(*d), *d, it.space->maxima[*d]),
              "a selection inside the virtual dataset");
}

void virtual_counts(const Mapping& it, Look& look) {
  const std::optional<std::uint64_t> here = it.elements_here();
  const bool whole_source = it.source.type == Selection::Type::kAll;
  if (whole_source || !here || !it.file.known() || !it.dataset.known() || it.outside()) return;
  look.looked();
  const bool pattern = is_pattern(*it.file.text) || is_pattern(*it.dataset.text);
  if (it.source.unlimited != it.here.unlimited && !(it.here.unlimited && pattern))
    look.fail(0,
              std::format("mapping {}: only the {} selection has no limit", it.number,
                          it.here.unlimited ? "virtual" : "source"),
              it.here.unlimited ? "a source without a limit, or names with a number (%b)"
                                : "a virtual selection without a limit");
  else if (!it.source.unlimited && !it.here.unlimited && it.source.elements != *here)
    look.fail(0, std::format("mapping {} of {} source elements", it.number, it.source.elements),
              std::format("{}, as many as in the virtual selection", *here));
}

constexpr Rule<Mapping> kSelectionPairRules[] = {
    {"h5-virtual-bounds", virtual_bounds},
    {"h5-virtual-counts", virtual_counts},
};

// --- Reading ------------------------------------------------------------------------------------

// The names that mappings have of their own, by the number of the mapping.
using OwnNames = std::vector<std::optional<std::string_view>>;

class MappingReader {
 public:
  // `block`: without its checksum.
  MappingReader(const Region& block, std::uint8_t version, const Dataset& dataset, Container& file)
      : block_(block), read_(block), version_(version), dataset_(dataset), file_(file) {
    read_.skip(1 + std::uint64_t{file.length_size});
  }

  // None after an error, or if the block ends before the mapping; cut() tells which.
  std::optional<Mapping> next() {
    const std::uint64_t begin = read_.at();
    const Region rest = block_.part(begin);
    Mapping made{.number = files_.size(), .flagged = version_ > 0, .space = &dataset_.space};
    if (made.flagged) made.flags = read_.u8("flags");
    if (!judge<kFlagsRule>(made, rest.place, file_.notes)) return std::nullopt;
    made.file =
        name("file", (made.flags & kFileShared) != 0, (made.flags & kSameFile) != 0, files_);
    made.dataset = name("dataset", (made.flags & kDatasetShared) != 0, false, datasets_);
    cut_ |= !read_.good();
    if (cut_ || file_.exhausted()) return std::nullopt;
    // Where the flags are wrong, a name of the mapping seems to be a number.
    if (!judge<kSharedNameRule>(made, rest.place, file_.notes) ||
        !selection(std::nullopt, made.source) || !selection(dataset_.rank(), made.here))
      return std::nullopt;
    judge_form(made.source, file_);
    judge_form(made.here, file_);
    // Where a name was not empty before, what follows it is no selection.
    judge<kNamesRule>(made, rest.place, file_.notes);
    judge_each<kSelectionPairRules>(made, rest.place, file_.notes);
    return made;
  }
  bool cut() const { return cut_; }
  std::uint64_t at() const { return read_.at(); }
  std::uint64_t rest() const { return read_.rest(); }

 private:
  SourceName name(const char* name, bool shared, bool absent, OwnNames& own) {
    SourceName made;
    if (absent) {
      made.text = ".";
    } else if (shared) {
      made.shared = read_.number(file_.length_size, name);
      if (*made.shared < own.size()) made.text = own[*made.shared];
      if (made.text && !file_.charge(made.text->size())) made.text.reset();
    } else {
      made.stored = true;
      made.text = text(name);
    }
    own.push_back(made.stored ? made.text : std::nullopt);
    return made;
  }

  std::string_view text(const char* name) {
    const Region rest = block_.part(read_.at());
    const auto end = std::ranges::find(rest.bytes, std::byte{0});
    cut_ |= end == rest.bytes.end();
    const auto length = static_cast<std::size_t>(end - rest.bytes.begin());
    read_.take(sum(length, 1), name);
    return {reinterpret_cast<const char*>(rest.bytes.data()), length};
  }

  bool selection(std::optional<unsigned> rank, Selection& into) {
    std::optional<Selection> made = read_selection(block_.part(read_.at()), rank, file_);
    if (!made) return false;
    read_.skip(made->size);
    into = std::move(*made);
    return true;
  }

  Region block_;
  Cursor read_;
  std::uint8_t version_;
  const Dataset& dataset_;
  Container& file_;
  OwnNames files_{}, datasets_{};
  bool cut_ = false;
};

// A name in which two percent signs stand for one.
std::string without_escapes(std::string_view name) {
  std::string made;
  for (std::size_t at = 0; at < name.size(); ++at) {
    made += name[at];
    at += name.substr(at).starts_with("%%");
  }
  return made;
}

// --- Sources in this file -----------------------------------------------------------------------

struct SourceHere {
  const std::string& path;
  std::string fault{};  // what is wrong with it
};

constexpr Rule kHereRule("h5-virtual-here-exists", [](const SourceHere& it, Look& look) {
  look.looked();
  if (!it.fault.empty())
    look.fail(0, std::format("the source \"{}\" in this file: {}", it.path, it.fault),
              "a dataset of the rank of its selection",
              "Its part of the dataset reads as fill values.");
});

constexpr Rule kVirtualLoopRule("h5-risk-virtual-loop", [](const Profile::Tally& it, Look& look) {
  look.looked();
  if (it.count > 0)
    look.fail(0,
              it.text("virtual dataset that is its own source",
                      "virtual datasets that are their own sources"),
              "sources that end in stored values");
});

}  // namespace

void virtual_rules(RuleList& list) {
  list.values<kVirtualExistsRule, kMappingBlockRules, kFlagsRule, kSharedNameRule, kNamesRule,
              kSelectionPairRules, kEntriesRule, kHereRule, kVirtualLoopRule>();
}

void VirtualDatasets::read(const Dataset& dataset, const std::string& path, GlobalHeaps& heaps,
                           Container& file) {
  const DataLayout& layout = dataset.layout;
  if (layout.layout_class() != LayoutClass::kVirtual || layout.address == kUndefined ||
      layout.address == 0)
    return;
  const std::uint32_t index = layout.heap_index;
  GlobalHeaps::Found found{.answer = GlobalHeaps::Answer::kMissing};
  if (index != 0 && index <= kMostHeapIndex) found = heaps.object(layout.address, index);
  judge<kVirtualExistsRule>(VirtualObject{layout.address, index, found.answer}, dataset.layout_at,
                            file.notes);
  const bool all =
      found.answer == GlobalHeaps::Answer::kFound && read_block(dataset, path, found.data, file);
  if (!all && unread_.empty()) unread_ = path;
}

bool VirtualDatasets::read_block(const Dataset& dataset, const std::string& path,
                                 const Region& block, Container& file) {
  if (!file.charge(block.size())) return false;
  Cursor head(block);
  MappingBlock judged{.size = block.size(),
                      .least = 1 + std::uint64_t{file.length_size} + kChecksum,
                      .checksum = sum_of(block),
                      .version = head.u8("version"),
                      .count = head.number(file.length_size, "count")};
  if (!judge<kMappingBlockRules>(judged, block.place, file.notes)) return false;
  MappingReader mappings(block.part(0, block.size() - kChecksum), judged.version, dataset, file);
  std::unordered_set<std::string> known;
  bool all = true;
  while (judged.read < judged.count) {
    judged.at = mappings.at();
    const std::optional<Mapping> each = mappings.next();
    if (!each && !mappings.cut()) return false;
    if (!each) break;
    ++judged.read;
    const SourceName &in = each->file, &of = each->dataset;
    if (!in.known() || !of.known()) {
      all = false;
      continue;
    }
    const bool pattern = is_pattern(*in.text) || is_pattern(*of.text);
    if (pattern)
      file.profile.add(Profile::Kind::kVirtualPattern,
                       std::format("{} over {} in {}", path, *of.text, *in.text));
    if (!each->same_file()) {
      file.profile.virtual_source(path, *in.text, *of.text);
      continue;
    }
    const bool listed = each->source.rank > 0;
    std::string source = without_escapes(*of.text);
    if (pattern || source.empty() || !known.insert(source).second) continue;
    too_many_ |= sources_.size() >= kMostSources;
    if (too_many_) continue;
    sources_.push_back({.object = dataset.object,
                        .path = std::move(source),
                        .rank = listed ? std::optional(each->source.rank) : std::nullopt,
                        .at = block.part(judged.at).place});
  }
  judged.cut = mappings.cut();
  if (!judged.cut) judged.at = mappings.at(), judged.rest = mappings.rest();
  judge<kEntriesRule>(judged, block.place, file.notes);
  return all && !judged.cut;
}

// The object of a source, if it is known.
std::optional<std::uint32_t> VirtualDatasets::find(const Source& source, LinkGraph& links,
                                                   const Objects& objects, const RankOf& rank_of,
                                                   Container& file) const {
  unsigned followed = 0;
  std::uint32_t object = 0;
  const LinkGraph::Way way = links.resolve(0, source.path, followed, object);
  if (way == LinkGraph::Way::kUnknown) return std::nullopt;
  const bool dataset =
      way == LinkGraph::Way::kFound && objects[object].kind == ObjectKind::kDataset;
  SourceHere judged{source.path};
  if (way != LinkGraph::Way::kFound)
    judged.fault = "nothing";
  else if (!dataset)
    judged.fault = "an object that is not a dataset";
  else if (const std::optional<unsigned> rank = rank_of(object);
           rank && source.rank && *rank != *source.rank)
    judged.fault = std::format("a dataset of rank {} for a selection of {}", *rank, *source.rank);
  file.notes.enter(source.object);
  judge<kHereRule>(judged, source.at, file.notes);
  return dataset ? std::optional(object) : std::nullopt;
}

void VirtualDatasets::judge_sources(LinkGraph& links, const Objects& objects, bool whole,
                                    const RankOf& rank_of, Container& file) {
  if (!unread_.empty()) {
    const std::string unread = std::format("the mappings of {} could not be read", unread_);
    file.notes.blocked("h5-risk-virtual-source", unread);
    file.notes.blocked("h5-risk-virtual-source-path", unread);
    file.notes.blocked("h5-risk-virtual-pattern", unread);
    file.notes.blocked("h5-risk-virtual-loop", unread);
  }
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> found;
  if (whole && links.complete() && !too_many_)
    for (const Source& source : sources_)
      if (const auto object = find(source, links, objects, rank_of, file))
        found[source.object].push_back(*object);
  if (sources_.empty() || (whole && links.complete() && !too_many_))
    return judge_loops(found, objects, file);
  const std::string why = !whole ? "not all groups were read" : "too many links or mappings";
  file.notes.blocked("h5-virtual-here-exists", why);
  file.notes.blocked("h5-risk-virtual-loop", why);
}

// Depth first over virtual datasets: one that is reached while its sources are being walked.
void VirtualDatasets::judge_loops(
    const std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>& sources,
    const Objects& objects, Container& file) const {
  enum class State : std::uint8_t { kOpen, kClosed };
  std::unordered_map<std::uint32_t, State> states;
  Profile loops;
  for (const Source& first : sources_) {
    std::vector<std::pair<std::uint32_t, std::size_t>> way;
    const auto enter = [&](std::uint32_t object) {
      const auto [it, fresh] = states.try_emplace(object, State::kOpen);
      if (fresh) way.emplace_back(object, 0);
      if (!fresh && it->second == State::kOpen)
        loops.add(Profile::Kind::kVirtualLoop, objects.path(object));
    };
    if (!states.contains(first.object)) enter(first.object);
    while (!way.empty()) {
      const auto of = sources.find(way.back().first);
      if (of != sources.end() && way.back().second < of->second.size()) {
        enter(of->second[way.back().second++]);
        continue;
      }
      states[way.back().first] = State::kClosed;
      way.pop_back();
    }
  }
  file.notes.enter(0);
  judge<kVirtualLoopRule>(loops.of(Profile::Kind::kVirtualLoop), file.place("superblock", 0),
                          file.notes);
}

}  // namespace hepcheck::hdf5
