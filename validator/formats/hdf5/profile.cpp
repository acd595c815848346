// The risk profile of a file: clauses h5-risk-* about what was collected from all of its objects.
#include "validator/formats/hdf5/profile.h"

#include <algorithm>
#include <format>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/counted.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/filters.h"
#include "validator/formats/hdf5/names.h"
#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::size_t kShown = 10, kLongestShown = 200;

void tell_tally(const Profile::Tally& it, Look& look, std::string_view one, std::string_view more,
                std::string wanted) {
  look.looked();
  if (it.count > 0) look.fail(0, it.text(one, more), std::move(wanted));
}

constexpr Rule kExternalLinkRule("h5-risk-external-link", [](const Profile::Tally& it, Look& look) {
  tell_tally(it, look, "link into another file", "links into other files",
             "no link that leaves the file");
});
constexpr Rule kExternalLinkPathRule("h5-risk-external-link-path", [](const Profile::Tally& it,
                                                                      Look& look) {
  tell_tally(it, look, "link out of the folder of the file", "links out of the folder of the file",
             "names of files beside this one");
});
constexpr Rule kUserLinkRule("h5-risk-user-defined-link", [](const Profile::Tally& it, Look& look) {
  tell_tally(it, look, "link of a user-defined type", "links of user-defined types",
             "links that need no code of their own");
});
constexpr Rule kStorageRule("h5-risk-external-storage", [](const Profile::Tally& it, Look& look) {
  tell_tally(it, look, "dataset whose values are in other files",
             "datasets whose values are in other files", "values in this file");
});
constexpr Rule kStoragePathRule("h5-risk-external-storage-path", [](const Profile::Tally& it,
                                                                    Look& look) {
  tell_tally(it, look, "external file out of the folder", "external files out of the folder",
             "names of files beside this one");
});
constexpr Rule kStorageUnlimitedRule("h5-risk-external-storage-unlimited",
                                     [](const Profile::Tally& it, Look& look) {
                                       tell_tally(it, look, "external file without a limit",
                                                  "external files without a limit",
                                                  "a size of each");
                                     });
constexpr Rule kSharedStorageRule("h5-risk-shared-storage", [](const Profile::Tally& it,
                                                               Look& look) {
  tell_tally(it, look, "external piece of several datasets", "external pieces of several datasets",
             "bytes of one dataset each");
});
constexpr Rule kPluginRule("h5-risk-filter-plugin", [](const Profile::Tally& it, Look& look) {
  tell_tally(it, look, "filter that is not built in", "filters that are not built in",
             "filters 1 to 3, 5 and 6");
});
constexpr Rule kPrivateRule("h5-risk-filter-private", [](const Profile::Tally& it, Look& look) {
  tell_tally(it, look, "filter with a number that nobody registers",
             "filters with numbers that nobody registers", "registered numbers");
});
constexpr Rule kReferenceRule("h5-risk-external-reference", [](const Profile::Tally& it,
                                                               Look& look) {
  tell_tally(it, look, "reference into another file", "references into other files",
             "references inside the file");
});

constexpr Rule kVirtualSourceRule("h5-risk-virtual-source", [](const Profile::Tally& it,
                                                               Look& look) {
  tell_tally(it, look, "mapping of a virtual dataset over another file",
             "mappings of virtual datasets over other files", "sources in this file");
});
constexpr Rule kVirtualSourcePathRule("h5-risk-virtual-source-path", [](const Profile::Tally& it,
                                                                        Look& look) {
  tell_tally(it, look, "virtual source out of the folder of the file",
             "virtual sources out of the folder of the file", "names of files beside this one");
});
constexpr Rule kVirtualPatternRule("h5-risk-virtual-pattern", [](const Profile::Tally& it,
                                                                 Look& look) {
  tell_tally(it, look, "mapping that names its sources by number",
             "mappings that name their sources by number", "plain names");
});

// --- Bytes that nothing reaches -----------------------------------------------------------------

struct Hidden {
  std::uint64_t bytes, file;
};

constexpr Rule kHiddenRule("h5-risk-hidden-bytes", [](const Hidden& it, Look& look) {
  constexpr std::uint64_t kSome = 1'024, kShare = 20;  // a twentieth
  look.looked();
  if (it.bytes >= kSome && product(it.bytes, kShare) >= it.file)
    look.fail(0,
              std::format("{} of {} bytes that no structure reaches or needs", it.bytes, it.file),
              "a file without remains of deleted data", "h5repack makes a copy without them.");
});

// --- The sum ------------------------------------------------------------------------------------

// A word about a file, and the clauses that it rests on.
struct Word {
  std::string_view word;
  std::vector<std::string> clauses;
};

constexpr Rule kProfileRule("h5-risk-profile", [](const Word& it, Look& look) {
  look.looked();
  if (it.clauses.empty()) return;
  std::string list;
  for (const std::string& clause : it.clauses) list += (list.empty() ? "" : ", ") + clause;
  look.fail(0, std::format("{}: {}", it.word, list), "a plain file");
});

std::string_view word_of(std::string_view risk) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"external", "leaves the file"},
      {"virtual-source", "leaves the file"},
      {"virtual-pattern", "leaves the file"},
      {"driver", "leaves the file"},
      {"filter-plugin", "needs code"},
      {"filter-private", "needs code"},
      {"user-defined", "needs code"},
      {"serialized", "needs code"},
      {"expansion", "large"},
      {"chunk-expansion", "large"},
      {"vlen-amplification", "large"},
      {"element-size", "large"},
      {"depth", "large"},
      {"datatype-depth", "large"},
      {"datatype-members", "large"},
      {"group-depth", "large"},
      {"objects-many", "large"},
      {"chunk-tiny", "large"},
      {"filter-many", "large"},
      {"trailing", "hides bytes"},
      {"user-block", "hides bytes"},
      {"hidden", "hides bytes"}};
  for (const auto& [begin, word] : kWords)
    if (risk.starts_with(begin)) return word;
  return "unusual";
}

}  // namespace

Unreached unreached_bytes(Container& file) {
  std::uint64_t reached = 0;
  Unreached made;
  for (const Extent& extent : file.extents.sorted()) {
    if (extent.address > reached) made.between += extent.address - reached;
    reached = std::max(reached, extent.end());
  }
  if (file.end > reached) made.behind = file.end - reached;
  return made;
}

void judge_hidden_bytes(const Unreached& bytes, std::uint64_t free, std::uint64_t unused,
                        Container& file) {
  std::uint64_t hidden = bytes.between + bytes.behind;
  hidden -= std::min(hidden, free);
  hidden = sum(hidden, sum(file.profile.left_over, unused));
  judge<kHiddenRule>(Hidden{hidden, file.end}, file.place("superblock", 0), file.notes);
}

void judge_profile(Container& file) {
  constexpr std::string_view kRisk = "h5-risk-", kSum = "h5-risk-profile";
  constexpr std::string_view kWords[] = {"refused", "leaves the file", "needs code",
                                         "large",   "hides bytes",     "unusual"};
  std::vector<Word> words;
  for (const std::string_view word : kWords) words.push_back({word, {}});
  for (const std::string& clause : file.notes.broken()) {
    std::string_view word;
    if (clause.starts_with(kRisk) && clause != kSum)
      word = word_of(std::string_view(clause).substr(kRisk.size()));
    else if (file.notes.error(clause))
      word = kWords[0];
    for (Word& each : words)
      if (each.word == word) each.clauses.push_back(clause);
  }
  for (const Word& word : words) judge<kProfileRule>(word, file.place("superblock", 0), file.notes);
}

void profile_rules(RuleList& list) {
  list.structure<kExternalLinkRule, kExternalLinkPathRule, kUserLinkRule, kStorageRule,
                 kStoragePathRule, kStorageUnlimitedRule, kSharedStorageRule, kPluginRule,
                 kPrivateRule, kHiddenRule, kProfileRule>();
  list.values<kReferenceRule, kVirtualSourceRule, kVirtualSourcePathRule, kVirtualPatternRule>();
}

std::string Profile::Tally::text(std::string_view one, std::string_view more) const {
  std::string made = counted(count, one, more) + ": ";
  for (std::size_t i = 0; i < first.size(); ++i) made += (i == 0 ? "" : ", ") + first[i];
  if (count > first.size()) made += ", and more";
  return made;
}

void Profile::add(Kind kind, std::string what) {
  Tally& tally = tallies_[static_cast<std::size_t>(kind)];
  ++tally.count;
  if (tally.first.size() == kShown) return;
  if (what.size() > kLongestShown) what.resize(kLongestShown);
  tally.first.push_back(std::move(what));
}

void Profile::filters(std::span<const Filter> list, std::string_view of) {
  constexpr std::uint16_t kLastBuiltIn = filter_id::kScaleOffset;
  constexpr std::uint16_t kFirstRegistered = 256, kLastRegistered = 32'767;
  for (const Filter& filter : list) {
    const std::string name = filter.name.empty() ? "" : std::format(" ({})", filter.name);
    const std::string text = std::format("{} by {}{}", of, filter.id, name);
    if (filter.id > kLastBuiltIn)
      add(Kind::kPluginFilter, text);
    else if (filter.id == filter_id::kSzip)
      add(Kind::kPluginFilter, text + ", szip, which many libraries lack");
    if (filter.id > kLastBuiltIn && (filter.id < kFirstRegistered || filter.id > kLastRegistered))
      add(Kind::kPrivateFilter, text);
  }
}

void Profile::external_link(const std::string& path, std::string_view file,
                            std::string_view object) {
  add(Kind::kExternalLink, std::format("{} to {} in {}", path, object, file));
  if (const std::string_view why = leads_out(file); !why.empty())
    add(Kind::kExternalLinkPath, std::format("{} to {} ({})", path, file, why));
}

void Profile::virtual_source(const std::string& path, std::string_view file,
                             std::string_view dataset) {
  if (file.empty()) return;  // h5-virtual-names-not-empty
  add(Kind::kVirtualSource, std::format("{} over {} in {}", path, dataset, file));
  if (const std::string_view why = leads_out(file); !why.empty())
    add(Kind::kVirtualSourcePath, std::format("{} over {} ({})", path, file, why));
}

void Profile::external_storage(const std::string& path, std::uint32_t object,
                               const std::vector<Storage>& pieces) {
  constexpr std::uint64_t kMostPieces = 1'000'000;
  constexpr std::string_view kOrigin = "${ORIGIN}/";
  std::string text;
  for (const Storage& piece : pieces) {
    if (text.size() < kLongestShown)
      text += std::format("{}{} from {} on", text.empty() ? "" : ", ", piece.name, piece.begin);
    std::string_view name = piece.name;
    if (name.starts_with(kOrigin)) name.remove_prefix(kOrigin.size());
    const bool system = name.starts_with("/dev/") || name.starts_with("/proc/");
    if (const std::string_view why = leads_out(name); !why.empty())
      add(Kind::kExternalStoragePath, std::format("{} over {} ({})", path, piece.name,
                                                  system ? "a device of the system" : why));
    const std::uint64_t end = sum(piece.begin, piece.size);
    if (piece.size == kLargestNumber)
      add(Kind::kExternalStorageUnlimited, std::format("{} over {}", path, piece.name));
    if (++pieces_ > kMostPieces) continue;
    storage_[piece.name].push_back({object, piece.begin, end});
  }
  add(Kind::kExternalStorage, std::format("{} over {}", path, text));
}

void Profile::judge_all(Container& file) const {
  Profile shared = *this;
  for (auto& [name, pieces] : shared.storage_) {
    std::ranges::sort(pieces, {}, &Piece::begin);
    std::uint64_t reached = 0;
    std::uint32_t by = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i > 0 && pieces[i].begin < reached && pieces[i].object != by)
        shared.add(Kind::kSharedStorage, std::format("{} from {} on", name, pieces[i].begin));
      if (pieces[i].end > reached) reached = pieces[i].end, by = pieces[i].object;
    }
  }
  const Place at = file.place("superblock", 0);
  judge<kExternalLinkRule>(of(Kind::kExternalLink), at, file.notes);
  judge<kExternalLinkPathRule>(of(Kind::kExternalLinkPath), at, file.notes);
  judge<kUserLinkRule>(of(Kind::kUserLink), at, file.notes);
  judge<kStorageRule>(of(Kind::kExternalStorage), at, file.notes);
  judge<kStoragePathRule>(of(Kind::kExternalStoragePath), at, file.notes);
  judge<kStorageUnlimitedRule>(of(Kind::kExternalStorageUnlimited), at, file.notes);
  judge<kSharedStorageRule>(shared.of(Kind::kSharedStorage), at, file.notes);
  judge<kPluginRule>(of(Kind::kPluginFilter), at, file.notes);
  judge<kPrivateRule>(of(Kind::kPrivateFilter), at, file.notes);
  judge<kReferenceRule>(of(Kind::kExternalReference), at, file.notes);
  judge<kVirtualSourceRule>(of(Kind::kVirtualSource), at, file.notes);
  judge<kVirtualSourcePathRule>(of(Kind::kVirtualSourcePath), at, file.notes);
  judge<kVirtualPatternRule>(of(Kind::kVirtualPattern), at, file.notes);
}

}  // namespace hepcheck::hdf5
