// The checks of programs that read HEP001, clause by clause. The order decides which clause is
// charged if a file cannot be read at all: the clauses of the file, then consumer-lossless-read.
#include "conformance/suite/hep001/reader.h"

namespace hepcheck::hep001::suite {

namespace {

using enum Aspect;

// Wrong indexes: a reader that trusts them loses rows.
constexpr std::initializer_list<std::string_view> kTampered = {
    "invalid/10.4/minmax-min-value--above.h5",
    "invalid/10.4/minmax-max-value--below.h5",
    "invalid/10.5/sorted-permutation--twice.h5",
    "invalid/10.5/sorted-permutation--all-zero.h5",
    "invalid/10.6/bitmap-bit-set--one-bit-cleared.h5",
    "invalid/10.6/bitmap-bit-set--rows-swapped.h5",
    "invalid/10.7/bloom-membership--all-zero.h5",
    "invalid/10.7/bloom-membership--swapped.h5",
    "invalid/12/index-content-correct--minmax.h5",
    "invalid/12/index-content-correct--sorted.h5",
    "invalid/12/index-content-correct--bitmap.h5",
    "invalid/12/index-content-correct--bloom.h5"};

// Tables with more storage than rows.
constexpr std::initializer_list<std::string_view> kWithTail = {
    "valid/7.3/consumer-row-count-from-nrows--plausible-tail.h5",
    "valid/7.3/extent-may-exceed-nrows--large-tail.h5",
    "valid/8.1/equal-extents--mostly-reserved.h5", "valid/11.1/tail-arbitrary-bytes--*",
    "valid/11.2/crash-residue-readable--*"};

void integer_truth(TableReaderJudge& judge) {
  if (!judge.can().has("categories")) return judge.not_applicable("it does not read categories");
  judge.reads(
      {"valid/6/bool-two-members--true-declared-first.h5", "valid/6/bool-value-is-member--true.h5",
       "valid/8.7/ordered-optional--*", "valid/8.7/ordered-scalar--true.h5"},
      {kOrdered});
  judge.agrees({"valid/*"}, {kOrdered});
}

void identify_by_class(TableReaderJudge& judge) {
  judge.reads({"valid/7.5/*", "valid/7.1/class-present--*"}, {kLostTable});
  judge.agrees({"valid/*"}, {kLostTable});
}

void identify_only_by_class(TableReaderJudge& judge) {
  judge.reads({"valid/7.1/consumer-identify-only-by-class--*"}, {kExtraTable});
  judge.agrees({"valid/*"}, {kExtraTable});
  judge.recognises({"invalid/7.2/version-present--*", "invalid/7.3/nrows-present--*"});
}

// 10.0 is charged here only if 2.0 was refused: a reader that refuses no later revision violates
// the next clause, not this one.
void compare_numeric(TableReaderJudge& judge) {
  judge.reads({"valid/7.2/version-value--later-minor.h5", "valid/7.2/consumer-compare-numeric--*"},
              {kLostLater});
  if (!judge.accepted("invalid/7.2/version-value--major-2.h5"))
    judge.refuses({"invalid/7.2/version-value--major-10.h5"});
}

void refuse_newer_major(TableReaderJudge& judge) {
  if (judge.can().major >= 10) return judge.not_applicable("it implements a later major revision");
  if (judge.can().major > 1) return judge.refuses({"invalid/7.2/version-value--major-10.h5"});
  judge.refuses({"invalid/7.2/version-value--major-2.h5"});
}

void patch_optional(TableReaderJudge& judge) {
  judge.tolerates({"invalid/7.2/version-two-components--patch.h5",
                   "invalid/7.2/version-value--three-components.h5"});
}

void may_reject_other_reference_type(TableReaderJudge& judge) {
  judge.tolerates({"invalid/5/no-std-ref-obj--*"});
}

void row_count_from_nrows(TableReaderJudge& judge) {
  judge.reads(kWithTail, {kRows});
  judge.agrees({"valid/*"}, {kRows});
}

void not_from_extent(TableReaderJudge& judge) {
  judge.agrees(kWithTail, {kSurplusRows});
  judge.agrees({"valid/*"}, {kSurplusRows});
}

void column_order(TableReaderJudge& judge) {
  judge.reads({"valid/7.4/consumer-column-order--*", "valid/7.4/column-order-*"}, {kColumnOrder});
  judge.agrees({"valid/*"}, {kColumnOrder});
}

void units_vocabulary_default(TableReaderJudge& judge) {
  if (!judge.can().has("units")) return judge.not_applicable("it does not read units");
  judge.reads({"valid/7.4/consumer-units-vocabulary-default--*"}, {kDefaultVocabulary});
  judge.agrees({"valid/*"}, {kDefaultVocabulary});
}

void units_vocabulary_override(TableReaderJudge& judge) {
  if (!judge.can().has("units")) return judge.not_applicable("it does not read units");
  judge.reads({"valid/7.4/consumer-units-vocabulary-default--*"}, {kOwnVocabulary});
  judge.agrees({"valid/*"}, {kOwnVocabulary});
}

void units_absent_dimensionless(TableReaderJudge& judge) {
  if (!judge.can().has("units")) return judge.not_applicable("it does not read units");
  judge.reads({"valid/8.6/consumer-units-absent-dimensionless--*"}, {kNoUnits});
  judge.agrees({"valid/*"}, {kNoUnits});
}

void diagnose_foreign_descendant(TableReaderJudge& judge) {
  judge.diagnoses("invalid/7.6/no-user-subgroup--provenance.h5", "/events/provenance");
  judge.diagnoses("invalid/7.6/no-multidimensional-dataset--image.h5", "/events/image");
  judge.diagnoses("invalid/7.6/no-soft-link--dangling.h5", "/events/momentum");
}

// Links that are not hard links, and objects that are not columns.
constexpr std::initializer_list<std::string_view> kForeign = {
    "invalid/3/column-hard-link--*", "invalid/7.6/no-*", "invalid/7.6/descendants-*"};

void strict_or_lenient(TableReaderJudge& judge) { judge.tolerates(kForeign); }

// A table that was moved, or has two names, is the same table.
void treat_as_unit(TableReaderJudge& judge) {
  judge.reads({"valid/7.5/placement-nested-and-multiple--reachable-by-two-paths.h5"}, {kLostTable});
}

void enumerate_columns(TableReaderJudge& judge) {
  judge.reads({"valid/8.2/*", "valid/8.1/*"}, {kLostColumn, kExtraColumn});
  judge.agrees({"valid/*"}, {kLostColumn, kExtraColumn});
  judge.agrees(kForeign, {kLostColumn, kExtraColumn});
}

void expose_unknown_datatype(TableReaderJudge& judge) {
  judge.reads({"valid/8.3/*"}, {kHiddenColumn});
}

void independent_storage(TableReaderJudge& judge) {
  judge.reads({"valid/8.4/*", "valid/10.4/minmax-length-contiguous--*"}, {kLostColumn, kValue});
}

void canonical_missing_test(TableReaderJudge& judge) {
  judge.reads({"valid/8.5/consumer-canonical-missing-test--*"}, {kMissing});
  judge.agrees({"valid/*"}, {kMissing});
}

void nan_branch(TableReaderJudge& judge) {
  judge.reads({"valid/8.5/consumer-nan-branch--*", "valid/8.5/nan-fill-permitted--*"},
              {kMissingNan});
  judge.agrees({"valid/*"}, {kMissingNan});
}

void follow_categories_reference(TableReaderJudge& judge) {
  if (!judge.can().has("categories")) return judge.not_applicable("it does not read categories");
  judge.reads({"valid/8.7/categories-any-name--*", "valid/8.7/categories-attr-scalar--*"},
              {kCategories});
  judge.agrees({"valid/*"}, {kCategories});
}

void zero_based_codes(TableReaderJudge& judge) {
  if (!judge.can().has("categories")) return judge.not_applicable("it does not read categories");
  judge.reads({"valid/8.7/consumer-zero-based-codes--*"}, {kDecoded});
  judge.agrees({"valid/*"}, {kDecoded});
}

void fill_is_missing_category(TableReaderJudge& judge) {
  if (!judge.can().has("categories")) return judge.not_applicable("it does not read categories");
  judge.reads({"valid/8.7/consumer-fill-is-missing-category--*",
               "valid/8.7/code-in-range--first-and-last.h5", "valid/8.7/categories-rank-1--*"},
              {kDecodedMissing});
  judge.agrees({"valid/*"}, {kDecodedMissing});
}

void hierarchy_order(TableReaderJudge& judge) {
  if (!judge.can().has("row-labels")) return judge.not_applicable("it does not read row labels");
  judge.reads({"valid/9.1/*", "valid/7.4/index-columns-1d--*", "valid/9/*"}, {kRowLabels});
  judge.agrees({"valid/*"}, {kRowLabels});
}

void empty_equals_absent(TableReaderJudge& judge) { judge.reads({"valid/9.2/*"}, {kRowLabels}); }

void may_ignore_indexes(TableReaderJudge& judge) {
  if (judge.queries() && !judge.can().modes.contains("none"))
    return judge.not_applicable("it cannot be told to ignore indexes");
  judge.asks({"valid/10.1/any-dataset-name--*"}, {.mode = "none", .tests = {"equal"}});
}

void same_answer_without_index(TableReaderJudge& judge) {
  judge.same_answers({"valid/10.1/*", "valid/10.4/*", "valid/10.5/sorted-*", "valid/10.6/bitmap-*",
                      "valid/10.7/bloom-*"});
}

void no_name_inference(TableReaderJudge& judge) {
  judge.asks({"valid/10.2/consumer-no-name-inference--*"}, {.thorough = true});
}

void follow_references(TableReaderJudge& judge) {
  judge.asks({"valid/10.2/consumer-follow-references--*"},
             {.kind = "BITMAP", .tests = {"equal"}, .thorough = true});
}

void ignore_unknown_kind(TableReaderJudge& judge) {
  judge.reads({"valid/10.3/kind-value--*", "valid/10.1/no-stray-dataset--beside-unknown-kind.h5",
               "valid/10.2/index-referenced--unknown-kind.h5",
               "valid/11.2/append-deletes-unmaintained-indexes--index-of-unknown-kind.h5"},
              {});
  if (judge.queries()) judge.asks({"valid/10.3/kind-value--*"}, {});
}

void fill_count_suffices(TableReaderJudge& judge) {
  judge.asks({"valid/10.4/minmax-nan-count-value--*", "valid/10.4/minmax-all-missing-*"},
             {.kind = "CHUNK_MINMAX", .tests = {"missing"}});
}

void no_order_inference(TableReaderJudge& judge) {
  judge.asks({"valid/10.6/consumer-no-order-inference--*"},
             {.kind = "BITMAP", .tests = {"range", "equal"}, .thorough = true});
}

void read_seed(TableReaderJudge& judge) {
  judge.asks({"valid/10.7/consumer-read-seed--*"},
             {.kind = "CHUNK_BLOOM", .tests = {"equal"}, .thorough = true});
}

void canonicalize_query(TableReaderJudge& judge) {
  judge.asks({"valid/10.7/consumer-canonicalize-query--*"},
             {.kind = "CHUNK_BLOOM", .tests = {"equal"}, .thorough = true});
}

void no_nan_query(TableReaderJudge& judge) {
  judge.asks({"valid/10.7/consumer-no-nan-query--*"}, {.kind = "CHUNK_BLOOM", .tests = {"nan"}});
}

void rows_below_nrows_are_data(TableReaderJudge& judge) {
  judge.reads({"valid/11.1/consumer-rows-below-nrows-are-data--*"}, {kLostRows});
  judge.agrees({"valid/*"}, {kLostRows});
}

void ignore_tail_rows(TableReaderJudge& judge) {
  judge.agrees(kWithTail, {kSurplusRows});
  if (judge.queries())
    judge.asks(
        {"valid/7.3/consumer-row-count-from-nrows--plausible-tail.h5",
         "valid/11.1/tail-arbitrary-bytes--*"},
        {.mode = "none", .tests = {"range", "missing", "nan"}, .thorough = true, .tail = true});
}

void index_cutoff(TableReaderJudge& judge) {
  judge.asks({"valid/10.4/minmax-extra-tail-entries--*", "valid/10.5/sorted-residue--*",
              "valid/10.6/bitmap-residue--*", "valid/10.7/bloom-residue-rows--*",
              "valid/11.1/tail-index-entries--*"},
             {.thorough = true});
}

void descriptive_no_effect(TableReaderJudge& judge) {
  judge.same_values("valid/13.1/consumer-descriptive-no-effect--plain.h5",
                    "valid/13.1/consumer-descriptive-no-effect--adorned.h5");
}

void no_default_trust(TableReaderJudge& judge) {
  judge.asks(kTampered, {.mode = "default", .tests = {"equal", "range"}, .thorough = true});
}

void verify_mode(TableReaderJudge& judge) {
  if (!judge.queries()) return judge.not_applicable("it answers no queries");
  if (judge.can().indexes.empty()) return judge.not_applicable("it uses no indexes");
  bool offered = false;
  for (const std::string_view mode : {"none", "verify"}) {
    if (!judge.can().modes.contains(std::string(mode))) continue;
    offered = true;
    judge.asks(kTampered,
               {.mode = mode, .kind = "", .tests = {"equal", "range"}, .thorough = true});
  }
  if (!offered) judge.lacks("no mode that verifies or ignores indexes", "mode none or verify");
}

// Failures that no other clause covers are charged here, including the protocol's own requirements.
void lossless_read(TableReaderJudge& judge) {
  judge.charge_only_unclaimed();
  judge.reads({"valid/*"}, {kVersion, kType, kValue, kUnits, kTexts});
  judge.reads_parts({"valid/*"}, false);
  judge.reads_parts({"valid/7.3/consumer-row-count-from-nrows--plausible-tail.h5", "valid/8.4/*",
                     "valid/8.3/any-datatype--*", "valid/8.7/consumer-fill-is-missing-category--*",
                     "valid/12/index-content-correct--every-family.h5"},
                    true);
  judge.keeps_modes({"invalid/7.6/no-user-subgroup--provenance.h5",
                     "invalid/7.6/no-multidimensional-dataset--image.h5",
                     "invalid/7.6/no-soft-link--alias-of-a-column.h5"},
                    {"valid/12/index-content-correct--every-family.h5",
                     "valid/14.1/worked-example-accepted--five-rows.h5"});
  judge.sees_changes("valid/10.6/bitmap-row-bytes--nine-rows.h5",
                     "valid/10.6/bitmap-row-bytes--eight-rows.h5");
  if (judge.queries()) {
    judge.asks({"valid/2/*", "valid/6/*", "valid/7.3/*", "valid/8.3/*", "valid/8.4/*",
                "valid/8.5/*", "valid/8.7/*"},
               {.mode = "none", .thorough = true, .once = true});
    for (const std::string_view mode : {"none", "verify"})
      if (judge.can().modes.contains(std::string(mode)))
        judge.asks(kTampered, {.mode = mode, .tests = {"equal", "range"}, .thorough = true});
  }
  judge.does_what_it_declares();
}

constexpr ConsumerCheck kChecks[] = {
    {"consumer-integer-truth", integer_truth},
    {"consumer-identify-by-class", identify_by_class},
    {"consumer-identify-only-by-class", identify_only_by_class},
    {"consumer-compare-numeric", compare_numeric},
    {"consumer-refuse-newer-major", refuse_newer_major},
    {"consumer-patch-optional", patch_optional},
    {"consumer-may-reject-other-reference-type", may_reject_other_reference_type},
    {"consumer-row-count-from-nrows", row_count_from_nrows},
    {"consumer-not-from-extent", not_from_extent},
    {"consumer-column-order", column_order},
    {"consumer-units-vocabulary-default", units_vocabulary_default},
    {"consumer-units-vocabulary-override", units_vocabulary_override},
    {"consumer-units-absent-dimensionless", units_absent_dimensionless},
    {"consumer-diagnose-foreign-descendant", diagnose_foreign_descendant},
    {"consumer-strict-or-lenient", strict_or_lenient},
    {"consumer-treat-as-unit", treat_as_unit},
    {"consumer-enumerate-columns", enumerate_columns},
    {"consumer-expose-unknown-datatype", expose_unknown_datatype},
    {"consumer-independent-storage", independent_storage},
    {"consumer-canonical-missing-test", canonical_missing_test},
    {"consumer-nan-branch", nan_branch},
    {"consumer-follow-categories-reference", follow_categories_reference},
    {"consumer-zero-based-codes", zero_based_codes},
    {"consumer-fill-is-missing-category", fill_is_missing_category},
    {"consumer-hierarchy-order", hierarchy_order},
    {"consumer-empty-equals-absent", empty_equals_absent},
    {"consumer-may-ignore-indexes", may_ignore_indexes},
    {"consumer-same-answer-without-index", same_answer_without_index},
    {"consumer-no-name-inference", no_name_inference},
    {"consumer-follow-references", follow_references},
    {"consumer-ignore-unknown-kind", ignore_unknown_kind},
    {"consumer-fill-count-suffices", fill_count_suffices},
    {"consumer-no-order-inference", no_order_inference},
    {"consumer-read-seed", read_seed},
    {"consumer-canonicalize-query", canonicalize_query},
    {"consumer-no-nan-query", no_nan_query},
    {"consumer-rows-below-nrows-are-data", rows_below_nrows_are_data},
    {"consumer-ignore-tail-rows", ignore_tail_rows},
    {"consumer-index-cutoff", index_cutoff},
    {"consumer-descriptive-no-effect", descriptive_no_effect},
    {"consumer-no-default-trust", no_default_trust},
    {"consumer-verify-mode", verify_mode},
    {"consumer-lossless-read", lossless_read},
};

}  // namespace

std::span<const ConsumerCheck> consumer_checks() { return kChecks; }

}  // namespace hepcheck::hep001::suite
