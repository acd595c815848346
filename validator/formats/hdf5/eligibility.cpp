#include "validator/formats/hdf5/eligibility.h"

#include <format>
#include <ranges>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct OfSuperblock {
  unsigned version;
};

constexpr Rule kSuperblockRule("swmr-eligible-superblock", [](const OfSuperblock& it, Look& look) {
  look.looked();
  if (it.version < kFirstSwmrSuperblock)
    look.fail(8, std::format("superblock version {}", it.version),
              "version 3, which HDF5 1.10 and later write",
              "Write the file with libver \"v110\" or later.");
});

void no_cache_image(const FileEligibility& it, Look& look) {
  look.looked();
  if (it.cache_image)
    look.fail(0, "a metadata cache image", "none", "Open and close the file once for writing.");
}

void single_file(const FileEligibility& it, Look& look) {
  look.looked();
  if (it.several_files)
    look.fail(0, "a driver that distributes the file over several files", "one file");
}

constexpr Rule<FileEligibility> kFileRules[] = {
    {"swmr-eligible-no-cache-image", no_cache_image},
    {"swmr-eligible-single-file", single_file},
};

struct Candidate {
  const Dataset& dataset;
  bool heap_reference;

  const DataLayout& layout() const { return dataset.layout; }
  bool typed() const { return dataset.known != Dataset::Known::kHeader; }
  bool laid_out() const { return dataset.known == Dataset::Known::kLayout; }
  bool chunked() const { return laid_out() && layout().chunked(); }
};

void chunked(const Candidate& it, Look& look) {
  if (!it.laid_out()) return;
  look.looked();
  if (!it.layout().chunked())
    look.fail(0, std::format("a {} layout", to_string(it.layout().layout_class())),
              "a chunked layout");
}

void extendable(const Candidate& it, Look& look) {
  if (!it.chunked() || it.dataset.index() == IndexType::kSingle) return;
  look.looked();
  if (!it.dataset.space.can_grow())
    look.fail(0, "a dataset at its maximum size", "an extendible dimension",
              "Create it with an unlimited maximum.");
}

void no_btree1(const Candidate& it, Look& look) {
  if (!it.chunked()) return;
  look.looked();
  if (it.layout().version < 4)
    look.fail(0,
              std::format("layout version {}, indexed by a version 1 B-tree", it.layout().version),
              "layout version 4 or later: nodes with checksums",
              "Write the file with libver \"v110\" or later.");
}

void index_kind(const Candidate& it, Look& look) {
  if (!it.chunked() || it.layout().version < 4) return;
  look.looked();
  const IndexType index = it.dataset.index();
  if (index == IndexType::kSingle || index == IndexType::kImplicit)
    look.fail(
        0,
        std::format("the index is {}", index == IndexType::kSingle ? "a single chunk" : "implicit"),
        "a fixed array, an extensible array or a version 2 B-tree",
        "Create it with an unlimited maximum.");
}

void header_checksummed(const Candidate& it, Look& look) {
  look.looked();
  if (it.dataset.header_version != 2)
    look.fail(0, std::format("a header of version {}", it.dataset.header_version),
              "version 2, which has checksums");
}

void no_vlen(const Candidate& it, Look& look) {
  if (!it.typed()) return;
  look.looked();
  if (it.dataset.type.variable_length)
    look.fail(0, type_text(*it.dataset.type.nodes), "no variable-length data",
              "Use fixed-length types; variable-length data is in the global heap, which SWMR does "
              "not cover.");
}

void no_region_reference(const Candidate& it, Look& look) {
  if (!it.typed()) return;
  look.looked();
  if (it.dataset.type.region_reference)
    look.fail(0, type_text(*it.dataset.type.nodes), "no region references",
              "Store region references elsewhere; their data is in the global heap, which SWMR "
              "does not cover.");
}

void no_heap_reference(const Candidate& it, Look& look) {
  if (!it.typed()) return;
  look.looked();
  if (it.dataset.type.attribute_reference)
    look.fail(0, type_text(*it.dataset.type.nodes), "no attribute references",
              "Store attribute references elsewhere; their data is in the global heap, which SWMR "
              "does not cover.");
  else if (it.heap_reference)
    look.fail(0, "an element that refers to a region, an attribute or another file",
              "references to objects of this file only");
}

void in_file(const Candidate& it, Look& look) {
  look.looked();
  if (it.dataset.external) look.fail(0, "values in external files", "values in this file");
}

constexpr Rule<Candidate> kDatasetRules[] = {
    {"swmr-eligible-header-checksummed", header_checksummed},
    {"swmr-eligible-chunked", chunked},
    {"swmr-eligible-no-btree1", no_btree1},
    {"swmr-eligible-index-kind", index_kind},
    {"swmr-eligible-extendable", extendable},
    {"swmr-eligible-no-vlen", no_vlen},
    {"swmr-eligible-no-region-reference", no_region_reference},
    {"swmr-eligible-no-heap-reference", no_heap_reference},
    {"swmr-eligible-in-file", in_file},
};

struct Above {
  bool old;
};

constexpr Rule kPathRule("swmr-eligible-path-checksummed", [](const Above& it, Look& look) {
  look.looked();
  if (it.old)
    look.fail(0, "a group without checksums on the path to datasets",
              "a header of version 2 without a symbol table");
});

constexpr Rule kTableRule("swmr-eligible-table-columns", [](const TableEligibility& it,
                                                            Look& look) {
  look.looked();
  if (it.eligible < it.columns)
    look.fail(0,
              std::format("{} of {} columns are SWMR-eligible; the others are not, because of {}",
                          it.eligible, it.columns, it.reasons),
              "every column");
});

}  // namespace

void eligibility_rules(RuleList& list) {
  list.structure<kSuperblockRule, kFileRules, kDatasetRules, kPathRule, kTableRule>();
}

const ClauseSet& reasons_against() {
  static const ClauseSet all = [] {
    ClauseSet made;
    made.set(kSuperblockRule.id.place());
    for (const Rule<FileEligibility>& rule : kFileRules) made.set(rule.id.place());
    for (const Rule<Candidate>& rule : kDatasetRules) made.set(rule.id.place());
    return made;
  }();
  return all;
}

std::string reasons_text(const ClauseSet& clauses) {
  constexpr std::size_t kMost = 3;
  std::string text;
  const auto broken = [&](std::size_t i) { return clauses[i]; };
  for (const std::size_t i : std::views::iota(std::size_t{0}, clauses.size()) |
                                 std::views::filter(broken) | std::views::take(kMost))
    text += std::format("{}{}", text.empty() ? "" : ", ", kClauseIds[i]);
  if (clauses.count() > kMost) text += std::format(" and {} more", clauses.count() - kMost);
  return text.empty() ? "parts that were not examined" : text;
}

void judge_eligibility(const FileEligibility& of, const Place& at, Notes& notes) {
  judge<kFileRules>(of, at, notes);
}

void judge_superblock(unsigned version, const Place& at, Notes& notes) {
  judge<kSuperblockRule>(OfSuperblock{version}, at, notes);
}

void judge_eligibility(const Dataset& dataset, bool heap_reference, Notes& notes) {
  judge<kDatasetRules>(Candidate{dataset, heap_reference}, dataset.layout_at, notes);
}

void judge_path(bool old, const Place& at, Notes& notes) {
  judge<kPathRule>(Above{old}, at, notes);
}

void judge_eligibility(const TableEligibility& table, const Place& at, Notes& notes) {
  judge<kTableRule>(table, at, notes);
}

}  // namespace hepcheck::hdf5
