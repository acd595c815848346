// Checks of readers of HEP001 2026-07-09 in addition to those of the older revision: list columns,
// booleans, and indexes that are valid only while their tokens match.
#include "conformance/suite/hep001/reader.h"

namespace hepcheck::hep001::suite {

namespace {

using enum Aspect;

bool reads_lists(TableReaderJudge& judge) {
  if (judge.can().datatypes.contains("list")) return true;
  judge.not_applicable("it does not read list columns");
  return false;
}

bool reads_texts(TableReaderJudge& judge) {
  if (!reads_lists(judge)) return false;
  if (judge.can().datatypes.contains("text")) return true;
  judge.not_applicable("it does not read strings in lists");
  return false;
}

// ---------------------------------------------------------------------------- booleans (6, 8.8)

void accept_boolean_variants(TableReaderJudge& judge) {
  judge.reads({"valid/8.8/boolean-*", "valid/6/bool-two-members--mask-true-first.h5"},
              {kBoolean, kNullList});
  judge.agrees({"invalid/8.8/boolean-dataset-exact-type--*", "invalid/6/bool-base-i8le--*"},
               {kBoolean, kNullList, kOrdered});
}

void other_enum_not_boolean(TableReaderJudge& judge) {
  judge.reads({"valid/8.8/nullable-boolean-*"}, {kNotBoolean, kMissing});
  judge.agrees({"valid/*", "invalid/8.8/nullable-boolean-*"}, {kNotBoolean});
}

void no_truth_for_other_values(TableReaderJudge& judge) {
  judge.asks({"invalid/8.8/boolean-column-value--*"},
             {.mode = "default", .tests = {"equal"}, .thorough = true, .all_columns = true});
}

// An undefined fill value does not mark missing rows.
void confirm_user_defined_fill(TableReaderJudge& judge) {
  judge.reads({"valid/8.8/boolean-column-no-fill--*", "valid/8.8/boolean-column-accepted--*"},
              {kMissing});
  judge.agrees({"valid/9.2/list-leaf-any-datatype--default-fill.h5"}, {kNullLeaf});
  judge.agrees({"valid/*"}, {kMissing, kNullLeaf});
}

void later_mask(TableReaderJudge& judge) {
  judge.diagnoses("invalid/8.5/column-no-mask-attribute--array.h5", "/events/id");
  judge.diagnoses("invalid/8.5/column-no-mask-attribute--integer.h5", "/events/id");
  judge.diagnoses("invalid/8.5/column-no-mask-attribute--reference-to-a-mask.h5", "/events/energy");
}

// --------------------------------------------------------------------------- tokens of text (7.1)

void lenient_class(TableReaderJudge& judge) {
  judge.agrees({"invalid/7.1/class-null-terminated--*", "invalid/7.1/class-size-13--*",
                "invalid/7.1/class-fixed-*", "invalid/7.1/class-ascii--*"},
               {kLostTable});
}

void lenient_tokens(TableReaderJudge& judge) {
  judge.agrees(
      {"invalid/9.1/list-class-null-terminated--*", "invalid/9.1/list-class-ascii--*",
       "invalid/9.1/list-class-fixed-length--*", "invalid/9.1/list-kind-null-terminated--*",
       "invalid/9.1/list-kind-ascii--*", "invalid/7.2/version-fixed-*"},
      {kLostTable, kLostColumn, kExtraColumn, kElement, kNullList});
}

void index_columns_authoritative(TableReaderJudge& judge) {
  if (!judge.can().has("row-labels")) return judge.not_applicable("it does not read row labels");
  judge.agrees(
      {"invalid/*underscore-index*", "valid/7.4/index-columns-*", "valid/9.1/consumer-hierarchy-*"},
      {kRowLabels});
}

// ------------------------------------------------------------------------------- list columns (9)

void enumerate_all_columns(TableReaderJudge& judge) {
  judge.reads({"valid/8.2/*", "valid/8.1/*", "valid/12/column-order-only-columns--*"},
              {kLostColumn, kExtraColumn});
  judge.agrees({"valid/*"}, {kLostColumn, kExtraColumn});
}

void identify_list_column(TableReaderJudge& judge) {
  judge.reads({"valid/3/list-members-not-columns--*", "valid/7.6/no-user-subgroup--list-columns.h5",
               "valid/9.6/list-in-column-order--*"},
              {kLostColumn, kExtraColumn});
  judge.agrees({"invalid/9.1/list-class-present--*"}, {kExtraColumn});
}

void nested_list_no_column(TableReaderJudge& judge) {
  judge.reads({"valid/9.1/nested-list-no-column--*", "valid/9/list-nesting-depth--*"},
              {kExtraColumn});
}

void unknown_kind_not_dropped(TableReaderJudge& judge) {
  if (reads_lists(judge))
    judge.agrees({"invalid/9.1/list-kind-value--*"}, {kLostColumn, kHiddenColumn});
}

void unknown_kind_unreadable(TableReaderJudge& judge) {
  if (reads_lists(judge)) judge.agrees({"invalid/9.1/list-kind-value--*"}, {kLaterKind});
}

// Fill values of OFFSETS and MASK that occur as data are data.
void member_fill_meaningless(TableReaderJudge& judge) {
  if (reads_lists(judge))
    judge.reads(
        {"valid/9.2/list-member-storage-free--*", "valid/9.2/list-offsets-non-decreasing--*"},
        {kNullList, kNullText, kElement, kLostRows});
}

void null_list_by_mask(TableReaderJudge& judge) {
  if (!reads_lists(judge)) return;
  judge.reads({"valid/9.2/list-null-entry-empty--*", "valid/9.2/list-mask-optional--*",
               "valid/15.2/worked-example-lists-accepted--*"},
              {kNullList});
  judge.agrees({"valid/*"}, {kNullList});
}

void null_string_by_mask(TableReaderJudge& judge) {
  if (reads_texts(judge)) judge.agrees({"valid/*"}, {kNullText});
}

void leaf_missing_by_fill(TableReaderJudge& judge) {
  if (!reads_lists(judge)) return;
  judge.reads({"valid/9.2/list-leaf-any-datatype--with-fill.h5"}, {kNullLeaf});
  judge.agrees({"valid/*"}, {kNullLeaf});
}

void read_string_entries(TableReaderJudge& judge) {
  if (reads_texts(judge)) judge.reads({"valid/9.4/string-*"}, {kElement, kNullText});
}

void list_units(TableReaderJudge& judge) {
  if (!judge.can().has("units")) return judge.not_applicable("it does not read units");
  if (reads_lists(judge))
    judge.reads({"valid/9.6/list-descriptive-attributes--*"},
                {kUnits, kDefaultVocabulary, kOwnVocabulary});
}

void read_list_slice(TableReaderJudge& judge) {
  if (!reads_lists(judge)) return;
  judge.reads({"valid/9.2/list-*", "valid/9.3/*", "valid/9/list-*", "valid/2.1/*", "valid/15.*"},
              {kElement, kLostRows, kSurplusRows});
  judge.agrees({"valid/*"}, {kElement});
}

void mask_may_be_deferred(TableReaderJudge& judge) {
  if (reads_lists(judge)) judge.tolerates({"valid/9.2/list-mask-optional--*"});
}

void ignore_list_tail(TableReaderJudge& judge) {
  if (reads_lists(judge))
    judge.reads(
        {"valid/12.1/list-tail-arbitrary--*",
         "valid/9.2/list-offsets-non-decreasing--decrease-in-the-tail.h5",
         "valid/9.2/list-values-extent--longer.h5", "valid/9.2/list-offsets-extent--reserved.h5"},
        {kSurplusRows, kElement, kNullList});
}

// ------------------------------------------------------------------------ the validity check
// (12.2)

constexpr std::initializer_list<std::string_view> kStale = {"valid/12.2/stale-index-accepted--*",
                                                            "valid/11.6/*--stale.h5"};

void check_before_use(TableReaderJudge& judge) { judge.asks(kStale, {.thorough = true}); }
void no_partial_trust(TableReaderJudge& judge) {
  judge.asks(
      {"valid/12.2/stale-index-accepted--*nrows*", "valid/12.2/stale-index-accepted--shorter*",
       "valid/12.2/stale-index-accepted--untouched*"},
      {.thorough = true});
}
void generation_no_order(TableReaderJudge& judge) {
  judge.asks({"valid/12.2/stale-index-accepted--*generation*"}, {.thorough = true});
}
void missing_token(TableReaderJudge& judge) {
  judge.asks({"invalid/12.2/generation-present--*", "invalid/12.2/source-generation-present--*",
              "invalid/12.2/source-nrows-present--*"},
             {.thorough = true});
}
void mistyped_token(TableReaderJudge& judge) {
  judge.asks({"invalid/12.2/*-uint64--*", "invalid/12.2/*-scalar--*"}, {.thorough = true});
}
void stale_no_error(TableReaderJudge& judge) { judge.reads(kStale, {}); }

// -------------------------------------------------------------------------- families (11.4
// to 11.7)

void placeholders(TableReaderJudge& judge) {
  judge.asks({"valid/10.4/minmax-all-missing-*", "valid/10.4/minmax-nan-count-value--*"},
             {.kind = "CHUNK_MINMAX", .thorough = true});
}
void ignore_pad_bits(TableReaderJudge& judge) {
  judge.asks({"invalid/11.6/bitmap-pad-bits-zero--*"},
             {.kind = "BITMAP", .tests = {"equal"}, .thorough = true});
}
void unlisted_value(TableReaderJudge& judge) {
  judge.asks({"valid/11.6/bitmap-exhaustive-optional--*"},
             {.kind = "BITMAP", .tests = {"equal"}, .thorough = true});
}
void proves_absence(TableReaderJudge& judge) {
  judge.asks({"valid/11.6/bitmap-exhaustive-complete--*"}, {.kind = "BITMAP", .tests = {"equal"}});
}
void no_fill_code(TableReaderJudge& judge) {
  judge.asks({"valid/11.7/bloom-enum-fill-not-inserted--*"},
             {.kind = "CHUNK_BLOOM", .tests = {"missing"}});
}
void own_enumeration(TableReaderJudge& judge) {
  judge.asks({"valid/11.7/bloom-canonical-enum--*", "valid/10.7/bloom-type--enum-i16.h5"},
             {.kind = "CHUNK_BLOOM", .tests = {"equal"}, .thorough = true});
}

constexpr ConsumerCheck kNewerChecks[] = {
    {"consumer-accept-boolean-variants", accept_boolean_variants},
    {"consumer-other-enum-not-boolean", other_enum_not_boolean},
    {"consumer-no-truth-for-other-values", no_truth_for_other_values},
    {"consumer-confirm-user-defined-fill", confirm_user_defined_fill},
    {"consumer-mask-means-later-revision", later_mask},
    {"consumer-mask-no-fill-assumption", later_mask},
    {"consumer-lenient-class", lenient_class},
    {"consumer-lenient-tokens", lenient_tokens},
    {"consumer-index-columns-authoritative", index_columns_authoritative},
    {"consumer-enumerate-all-columns", enumerate_all_columns},
    {"consumer-identify-list-column", identify_list_column},
    {"consumer-nested-list-no-column", nested_list_no_column},
    {"consumer-unknown-list-kind-not-dropped", unknown_kind_not_dropped},
    {"consumer-unknown-list-kind-unreadable", unknown_kind_unreadable},
    {"consumer-member-fill-meaningless", member_fill_meaningless},
    {"consumer-null-list-by-mask", null_list_by_mask},
    {"consumer-null-string-by-mask", null_string_by_mask},
    {"consumer-leaf-missing-by-fill", leaf_missing_by_fill},
    {"consumer-read-string-entries", read_string_entries},
    {"consumer-list-units-describe-leaf", list_units},
    {"consumer-read-list-slice", read_list_slice},
    {"consumer-mask-read-may-be-deferred", mask_may_be_deferred},
    {"consumer-ignore-list-tail", ignore_list_tail},
    {"consumer-validity-check-before-use", check_before_use},
    {"consumer-stale-index-absent", check_before_use},
    {"consumer-missing-token-absent", missing_token},
    {"consumer-mistyped-token-absent", mistyped_token},
    {"consumer-stale-index-no-error", stale_no_error},
    {"consumer-no-partial-trust", no_partial_trust},
    {"consumer-generation-no-order", generation_no_order},
    {"consumer-minmax-recognize-placeholder", placeholders},
    {"consumer-minmax-placeholder-no-pruning", placeholders},
    {"consumer-ignore-pad-bits", ignore_pad_bits},
    {"consumer-unlisted-value-unindexed", unlisted_value},
    {"consumer-exhaustive-proves-absence", proves_absence},
    {"consumer-no-fill-code-query", no_fill_code},
    {"consumer-enum-own-definition", own_enumeration},
};

}  // namespace

std::span<const ConsumerCheck> newer_consumer_checks() { return kNewerChecks; }

}  // namespace hepcheck::hep001::suite
