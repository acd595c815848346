// The capabilities that a program needs for a clause on producers to apply.
#include "conformance/suite/hep001/writer_checks.h"

namespace hepcheck::hep001::suite {

namespace {

bool no_program(const Capabilities&) { return false; }
bool appends(const Capabilities& can) { return can.does("append"); }
bool truncates(const Capabilities& can) { return can.does("truncate"); }
bool updates(const Capabilities& can) { return can.does("update"); }
bool durable(const Capabilities& can) { return can.has("durable"); }
bool reclaims(const Capabilities& can) { return can.has("reclaim"); }
bool preallocates(const Capabilities& can) { return can.has("preallocation"); }
bool takes_chunks(const Capabilities& can) { return can.has("chunks"); }
bool writes_categories(const Capabilities& can) { return can.has("categories"); }
bool writes_booleans(const Capabilities& can) { return can.datatypes.contains("boolean"); }
bool writes_integers(const Capabilities& can) { return can.datatypes.contains("integer"); }
bool builds_indexes(const Capabilities& can) { return !can.indexes.empty(); }
bool writes_lists(const Capabilities& can) { return can.datatypes.contains("list"); }
bool builds_bitmaps(const Capabilities& can) { return can.indexes.contains("BITMAP"); }

constexpr std::string_view kNoAppend = "it does not append";
constexpr std::string_view kNotDurable = "it declares no durability";
constexpr std::string_view kNoTruncation = "it does not truncate or reclaim";
constexpr std::string_view kNoUpdate = "it does not update in place";
constexpr std::string_view kNoPreallocation = "it does not preallocate";
constexpr std::string_view kNoLists = "it does not write list columns";
constexpr std::string_view kNoIndexes = "it does not build indexes";
constexpr std::string_view kNoBooleans = "it does not write booleans";
constexpr std::string_view kNotAsked = "the protocol has no operation for it";
constexpr std::string_view kNoCategories = "it does not write categorical columns";

// The capabilities that a program needs for a clause to apply; the first missing one is reported.
struct Need {
  ClauseId id;
  bool (*needs)(const Capabilities&);
  std::string_view why_not;
};

constexpr Need kNeeds[] = {
    {"future-annotations-lowercase", no_program, "it binds the authors of later revisions"},
    {"inplace-atomicity-external", no_program, "the protocol does not request atomic edits"},
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
    {"producer-not-require-uniform-storage", takes_chunks, "it does not accept chunk lengths"},
    {"boolean-fill-gt-1", writes_booleans, "it does not write booleans"},
    {"producer-ordered-true-when-meaningful", writes_categories, kNoCategories},
    {"producer-ordered-not-true-otherwise", writes_categories, kNoCategories},
    {"producer-provenance", builds_indexes, "it does not build indexes"},
    {"producer-ordered-true-means-order", builds_bitmaps, "it does not build BITMAP indexes"},

    {"producer-generation-no-meaning", no_program,
     "it binds the statements of a program about itself"},
    {"producer-file-durability-external", no_program,
     "it binds the statements of a program about itself"},
    {"producer-consider-fixed-length-leaf", no_program, "it binds what a program offers"},
    {"schema-change-needs-no-increment", no_program, kNotAsked},
    {"producer-restore-by-tokens-alone", no_program, kNotAsked},
    {"inplace-crash-restore-by-tokens", no_program, kNotAsked},
    {"inplace-unrestored-index-left", no_program, kNotAsked},
    {kFullDomain, writes_integers, "it does not write integers"},
    {"append-no-generation-without-indexes", appends, kNoAppend},
    {"append-reads-generation", appends, kNoAppend},
    {"append-extends-list-members", appends, kNoAppend},
    {"append-extends-list-members", writes_lists, kNoLists},
    {"append-list-leaf-first", writes_lists, kNoLists},
    {"append-list-offsets-last", writes_lists, kNoLists},
    {"append-list-keeps-committed-rows", writes_lists, kNoLists},
    {"producer-not-rely-on-member-fill", writes_lists, kNoLists},
    {"producer-string-no-normalization", writes_lists, kNoLists},
    {"list-class-only-on-conformant-group", writes_lists, kNoLists},
    {"truncate-list-without-writes", writes_lists, kNoLists},
    {"truncate-list-without-writes", truncates, kNoTruncation},
    {"reclaim-list-by-rewrite", writes_lists, kNoLists},
    {"reclaim-list-by-rewrite", reclaims, kNoTruncation},
    {"append-index-token-values", builds_indexes, kNoIndexes},
    {"append-index-content-before-commit", builds_indexes, kNoIndexes},
    {"append-unmaintained-index-left", builds_indexes, kNoIndexes},
    {"append-writes-generation", builds_indexes, kNoIndexes},
    {"append-generation-after-indexes", builds_indexes, kNoIndexes},
    {"append-generation-before-nrows", builds_indexes, kNoIndexes},
    {"index-not-recreated-on-update", builds_indexes, kNoIndexes},
    {"producer-generation-incremented-on-edit", builds_indexes, kNoIndexes},
    {"producer-generation-incremented-on-edit", updates, kNoUpdate},
    {"producer-generation-incremented-on-commit", builds_indexes, kNoIndexes},
    {"producer-generation-by-one", builds_indexes, kNoIndexes},
    {"producer-generation-starts-at-zero", builds_indexes, kNoIndexes},
    {"producer-new-index-current-tokens", builds_indexes, kNoIndexes},
    {"producer-new-index-generation-first", builds_indexes, kNoIndexes},
    {"producer-new-index-no-increment", builds_indexes, kNoIndexes},
    {"producer-stale-content-fails-check", builds_indexes, kNoIndexes},
    {"producer-tokens-before-content", builds_indexes, kNoIndexes},
    {"retry-no-token-collision", builds_indexes, kNoIndexes},
    {"retry-no-token-collision", appends, kNoAppend},
    {"truncate-unmaintained-index-left", truncates, kNoTruncation},
    {"truncate-increments-generation", truncates, kNoTruncation},
    {"inplace-generation-before-data", updates, kNoUpdate},
    {"inplace-generation-flushed", updates, kNoUpdate},
    {"inplace-content-before-tokens", updates, kNoUpdate},
    {"inplace-token-values", updates, kNoUpdate},
    {"inplace-final-flush", updates, kNoUpdate},
    {"nullable-boolean-form", writes_booleans, kNoBooleans},
    {"nullable-boolean-enum-preferred", writes_booleans, kNoBooleans},
    {"nullable-boolean-uint8-fill", writes_booleans, kNoBooleans},
    {"nullable-boolean-uint8-fill-255", writes_booleans, kNoBooleans},
};

}  // namespace

std::string_view why_not(std::string_view clause, const Capabilities& can) {
  for (const Need& need : kNeeds)
    if (need.id.str() == clause && !need.needs(can)) return need.why_not;
  return {};
}

}  // namespace hepcheck::hep001::suite
