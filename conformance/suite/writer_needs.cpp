// What a program must be able to do for a clause on producers to apply to it.
#include "conformance/suite/writer_checks.h"

namespace hepcheck::hep001::suite {

namespace {

bool nobody(const Capabilities&) { return false; }
bool appends(const Capabilities& can) { return can.does("append"); }
bool truncates(const Capabilities& can) { return can.does("truncate"); }
bool updates(const Capabilities& can) { return can.does("update"); }
bool durable(const Capabilities& can) { return can.has("durable"); }
bool reclaims(const Capabilities& can) { return can.has("reclaim"); }
bool preallocates(const Capabilities& can) { return can.has("preallocation"); }
bool takes_chunks(const Capabilities& can) { return can.has("chunks"); }
bool writes_categories(const Capabilities& can) { return can.has("categories"); }
bool writes_booleans(const Capabilities& can) { return can.datatypes.contains("boolean"); }
bool builds_indexes(const Capabilities& can) { return !can.indexes.empty(); }
bool builds_bitmaps(const Capabilities& can) { return can.indexes.contains("BITMAP"); }

constexpr std::string_view kNoAppend = "it does not append";
constexpr std::string_view kNotDurable = "it promises no durability";
constexpr std::string_view kNoTruncation = "it does not truncate or reclaim";
constexpr std::string_view kNoUpdate = "it does not update in place";
constexpr std::string_view kNoPreallocation = "it does not preallocate";
constexpr std::string_view kNoCategories = "it writes no categorical columns";

// What a program must be able to do for a clause to apply; the first need that it lacks is told.
struct Need {
  ClauseId id;
  bool (*needs)(const Capabilities&);
  std::string_view why_not;
};

constexpr Need kNeeds[] = {
    {"future-annotations-lowercase", nobody, "it binds the authors of later revisions"},
    {"inplace-atomicity-external", nobody, "the protocol asks for no atomic edits"},
    {"append-reads-nrows", appends, kNoAppend},
    {"append-extends-before-write", appends, kNoAppend},
    {"append-writes-rows-before-commit", appends, kNoAppend},
    {"append-column-write-order-free", appends, kNoAppend},
    {"append-preserves-existing-rows", appends, kNoAppend},
    {"append-updates-indexes-before-commit", appends, kNoAppend},
    {"append-incremental-index", appends, kNoAppend},
    {"append-deletes-unmaintained-indexes", appends, kNoAppend},
    {"append-removes-list-references", appends, kNoAppend},
    {"append-commit-last", appends, kNoAppend},
    {"append-flush-after-commit", appends, kNoAppend},
    {"append-durable-flush-before-commit", appends, kNoAppend},
    {"append-durable-flush-before-commit", durable, kNotDurable},
    {"append-durable-flush-after-commit", appends, kNoAppend},
    {"append-durable-flush-after-commit", durable, kNotDurable},
    {"retry-overwrites-or-extends", appends, kNoAppend},
    {"swmr-no-attribute-writes", appends, kNoAppend},
    {"truncate-logically", truncates, kNoTruncation},
    {"truncate-updates-or-deletes-indexes", truncates, kNoTruncation},
    {"truncate-removes-list-references", truncates, kNoTruncation},
    {"reclaim-by-rewrite", reclaims, kNoTruncation},
    {"inplace-updates-or-deletes-indexes", updates, kNoUpdate},
    {"inplace-permitted", updates, kNoUpdate},
    {"preallocation-allowed", preallocates, kNoPreallocation},
    {"preallocate-equal-extents", preallocates, kNoPreallocation},
    {"producer-not-require-uniform-storage", takes_chunks, "it takes no chunk lengths"},
    {"boolean-fill-gt-1", writes_booleans, "it writes no booleans"},
    {"producer-ordered-true-when-meaningful", writes_categories, kNoCategories},
    {"producer-ordered-not-true-otherwise", writes_categories, kNoCategories},
    {"producer-provenance", builds_indexes, "it builds no indexes"},
    {"producer-ordered-true-means-order", builds_bitmaps, "it builds no BITMAP indexes"},
};

}  // namespace

std::string_view why_not(std::string_view clause, const Capabilities& can) {
  for (const Need& need : kNeeds)
    if (need.id.str() == clause && !need.needs(can)) return need.why_not;
  return {};
}

}  // namespace hepcheck::hep001::suite
