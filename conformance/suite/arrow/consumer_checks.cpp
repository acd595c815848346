// The check of each consumer clause, in the order in which they claim files.
#include "conformance/suite/arrow/reader.h"

namespace hepcheck::arrow::suite {

namespace {

// --- 2: arrays ----------------------------------------------------------------------------------

void int31_lengths(ArrowReaderJudge& judge) {
  judge.counts_rows({"invalid/2.2/arrow-batch-length-within-int31--one-more.arrows",
                     "valid/2.2/arrow-batch-length-within-int31--largest.arrows"});
}

void bitmap_or_not(ArrowReaderJudge& judge) { judge.reads({"valid/2.4/arrow-validity-*"}); }

void null_slot_ignored(ArrowReaderJudge& judge) {
  judge.reads({"valid/2.4/arrow-null-slot-content-any--*",
               "valid/Schema.fbs/arrow-utf8-values-valid--under-nulls.arrows"});
}

void null_slot_extent(ArrowReaderJudge& judge) {
  judge.reads({"valid/2.6/arrow-binary-null-slot-not-empty--*",
               "valid/2.7/arrow-list-null-slot-not-empty--*",
               "valid/2.4/arrow-nested-own-validity--null-list-over-values.arrows"});
}

void parent_validity_first(ArrowReaderJudge& judge) {
  judge.reads({"valid/2.9/arrow-struct-hidden-child-values--*",
               "valid/2.4/arrow-nested-own-validity--either-way-round.arrows"});
  for (const std::size_t child : {0, 1})
    judge.child_alone({"valid/2.9/arrow-struct-hidden-child-values--*"}, 0, child);
}

void union_nullness_from_child(ArrowReaderJudge& judge) {
  judge.reads({"valid/2.10/arrow-union-null-count-zero--*",
               "valid/2.10.2/arrow-sparse-union-unselected-any--nulls-and-others.arrows"});
  judge.agrees_if_read({"valid/2.10.*/*", "valid/Schema.fbs/arrow-union-default-type-ids--*",
                        "valid/Schema.fbs/arrow-union-mode-known--*",
                        "valid/Schema.fbs/arrow-union-type-ids-*"});
}

void dictionary_null_count(ArrowReaderJudge& judge) {
  judge.null_counts({"valid/2.12/arrow-dictionary-null-values--*"});
  judge.reads({"valid/2.12/arrow-dictionary-null-values--*"});
}

// --- Schema.fbs ---------------------------------------------------------------------------------

void v4_unions(ArrowReaderJudge& judge) {
  judge.reads({"valid/Schema.fbs/arrow-union-v4-bitmap--*"});
}

void day_time_optional(ArrowReaderJudge& judge) {
  judge.agrees({"valid/Schema.fbs/arrow-consumer-day-time-optional--*",
                "valid/2.5/arrow-primitive-data-size--days-and-milliseconds.arrows"});
}

void unknown_feature(ArrowReaderJudge& judge) {
  judge.speaks_of({"invalid/Schema.fbs/arrow-schema-features-known--4*"}, "feature");
}

// --- 4: messages, streams, files, dictionaries --------------------------------------------------

void survives_any_input(ArrowReaderJudge& judge) { judge.ends_whatever_comes(); }

void old_framing(ArrowReaderJudge& judge) {
  judge.agrees({"valid/4.1/arrow-message-continuation-present--none.arrows",
                "valid/4.1/arrow-message-metadata-padded--old-framing.arrows",
                "valid/4.5/arrow-stream-eos-eight-bytes--old-end.arrows",
                "valid/File.fbs/arrow-block-metadata-length--old-framing.arrow"});
}

void metadata_before_body(ArrowReaderJudge& judge) {
  judge.refuses({"invalid/flatbuffers/*--before-a-body-of-2-62.arrows"});
}

void nullable_round_trip(ArrowReaderJudge& judge) {
  judge.keeps_schema({"valid/4.2/arrow-consumer-nullable-round-trip--*"});
}

void offset_relative_to_body(ArrowReaderJudge& judge) {
  judge.reads({"valid/4.3/arrow-consumer-offset-relative-to-body--*"});
}

void bounded_decompression(ArrowReaderJudge& judge) {
  judge.ends({"invalid/Message.fbs/arrow-compression-size-exact--lz4-2-to-40.arrows",
              "invalid/Message.fbs/arrow-compression-size-exact--zstd-2-to-40.arrows"});
}

void message_kinds_subset(ArrowReaderJudge& judge) {
  judge.counts_rows({"invalid/4/arrow-stream-message-kinds--tensor-between.arrows",
                     "invalid/4/arrow-stream-message-kinds--sparse-tensor-between.arrows"});
}

void endianness(ArrowReaderJudge& judge) {
  judge.agrees({"valid/4.4/arrow-schema-big-endian--*", "valid/4.1/*-in-a-big-endian-stream.arrows",
                "valid/Schema.fbs/arrow-schema-endianness-known--big.arrows",
                "valid/Message.fbs/*big-endian*",
                "valid/Schema.fbs/arrow-decimal-value-fits-precision--big-endian.arrows"});
}

void both_ends(ArrowReaderJudge& judge) {
  judge.reads({"valid/4.5/arrow-stream-eos-optional--*",
               "valid/4.1/arrow-message-prefix-complete--ends-behind-a-body.arrows"});
  judge.agrees({"invalid/4.5/arrow-stream-nothing-after-eos--*"});
}

void random_access(ArrowReaderJudge& judge) {
  judge.takes_batches({"valid/4.6/arrow-footer-record-batches-complete--three-and-three.arrow"},
                      {2, 0});
}

void delta_order(ArrowReaderJudge& judge) {
  judge.reads({"valid/4.6/arrow-file-footer-order-differs--deltas-swapped.arrow"});
}

void delta_concatenates(ArrowReaderJudge& judge) {
  judge.reads({"valid/4.7/arrow-dictionary-delta-has-base--*",
               "valid/4.7/arrow-dictionary-delta--two-in-a-file.arrow"});
  judge.agrees_if_read({"valid/4.5/arrow-stream-interleaved--in-turn.arrows"});
}

void replacement(ArrowReaderJudge& judge) {
  judge.reads({"valid/4.7/arrow-dictionary-replacement-in-stream--*",
               "valid/4.7/arrow-dictionary-delta--after-a-replacement.arrows"});
}

void unknown_extension(ArrowReaderJudge& judge) {
  judge.reads({"valid/4.9/arrow-extension-unknown--*"});
  judge.keeps_values({"valid/4.9/arrow-extension-unknown--*"});
}

// --- Format 1.5 ---------------------------------------------------------------------------------

void view_values(ArrowReaderJudge& judge) {
  judge.reads({"valid/3.7/arrow-view-*", "valid/4.4/arrow-variadic-counts-*",
               "valid/4.4/arrow-view-no-data-buffers--*"});
}

void list_view_values(ArrowReaderJudge& judge) {
  judge.reads({"valid/3.8.2/arrow-list-view-any-order--*",
               "valid/3.8.2/arrow-list-view-null-slot-*",
               "valid/3.8.2/arrow-list-view-offset-in-child--*",
               "valid/3.8.2/arrow-list-view-offsets-size--l*"});
}

void run_end_values(ArrowReaderJudge& judge) {
  judge.reads({"valid/3.14/arrow-run-end-nulls-as-runs--*", "valid/3.14/arrow-run-ends-*",
               "valid/3.14/arrow-run-end-equal-neighbours--*", "valid/3.14/arrow-run-end-empty--*",
               "valid/3.14/arrow-run-end-type--*bits.arrows"});
}

void run_end_long(ArrowReaderJudge& judge) { judge.ends({"valid/3.14/arrow-run-end-long--*"}); }

// The cell of a timestamp is the stored integer, so only its timezone can be confused.
void timestamp_reference(ArrowReaderJudge& judge) {
  judge.reads({"valid/Schema.fbs/arrow-timestamp-timezone-form--*"});
}

void timestamp_naive(ArrowReaderJudge& judge) {
  judge.reads({"valid/Schema.fbs/arrow-timestamp-without-timezone--*",
               "valid/2.5/arrow-primitive-data-size--timestamp.arrows"});
}

void month_day_nano(ArrowReaderJudge& judge) {
  judge.converts({"valid/Schema.fbs/arrow-interval-month-day-nano--*"}, "month-day-nano");
}

void codec_optional(ArrowReaderJudge& judge) { judge.agrees({"valid/4.5/arrow-compression-*"}); }

void older_files(ArrowReaderJudge& judge) {
  judge.reads({"valid/4.1/arrow-message-continuation-present--none.arrows",
               "valid/4.5/arrow-stream-eos-eight-bytes--old-end.arrows",
               "valid/Schema.fbs/arrow-message-version-readable--v4.arrow",
               "valid/File.fbs/arrow-footer-version-equal--v4-and-v4.arrow"});
}

void newer_detected(ArrowReaderJudge& judge) {
  judge.converts(
      {"valid/3.15/arrow-buffer-listing-newer-layouts--*", "valid/3.14/arrow-run-end-any-values--*",
       "valid/3.14/arrow-run-end-inside-others--*", "valid/Schema.fbs/arrow-decimal-narrow--*",
       "valid/Schema.fbs/arrow-decimal-256--*"});
  judge.refuses({"invalid/Schema.fbs/arrow-field-type-known--*"});
}

void extension_metadata(ArrowReaderJudge& judge) {
  judge.ends({"invalid/CanonicalExtensions.rst/*"});
}

void canonical_extensions(ArrowReaderJudge& judge) {
  judge.reads({"valid/CanonicalExtensions.rst/arrow-uuid-storage--*",
               "valid/CanonicalExtensions.rst/arrow-bool8-storage--*"});
  judge.keeps_values({"valid/CanonicalExtensions.rst/arrow-uuid-storage--*",
                      "valid/CanonicalExtensions.rst/arrow-bool8-storage--*"});
}

// --- 5.1: the rest ------------------------------------------------------------------------------

void converts_unsupported(ArrowReaderJudge& judge) { judge.converts_the_rest(); }

constexpr ConsumerCheck kChecks[] = {
    {"arrow-consumer-int31-lengths", int31_lengths},
    {"arrow-consumer-bitmap-or-not", bitmap_or_not},
    {"arrow-consumer-null-slot-ignored", null_slot_ignored},
    {"arrow-consumer-null-slot-extent", null_slot_extent},
    {"arrow-consumer-parent-validity-first", parent_validity_first},
    {"arrow-consumer-union-nullness-from-child", union_nullness_from_child},
    {"arrow-consumer-dictionary-null-count", dictionary_null_count},
    {"arrow-consumer-v4-unions", v4_unions},
    {"arrow-consumer-day-time-optional", day_time_optional},
    {"arrow-consumer-unknown-feature", unknown_feature},
    {"arrow-consumer-old-framing", old_framing},
    {"arrow-consumer-metadata-before-body", metadata_before_body},
    {"arrow-consumer-nullable-round-trip", nullable_round_trip},
    {"arrow-consumer-offset-relative-to-body", offset_relative_to_body},
    {"arrow-consumer-bounded-decompression", bounded_decompression},
    {"arrow-consumer-message-kinds-subset", message_kinds_subset},
    {"arrow-consumer-endianness", endianness},
    {"arrow-consumer-both-ends", both_ends},
    {"arrow-consumer-random-access", random_access},
    {"arrow-file-delta-order", delta_order},
    {"arrow-consumer-delta-concatenates", delta_concatenates},
    {"arrow-consumer-replacement", replacement},
    {"arrow-consumer-unknown-extension", unknown_extension},
    {"arrow-consumer-view-values", view_values},
    {"arrow-consumer-list-view-values", list_view_values},
    {"arrow-consumer-run-end-values", run_end_values},
    {"arrow-consumer-run-end-long", run_end_long},
    {"arrow-consumer-timestamp-reference", timestamp_reference},
    {"arrow-consumer-timestamp-naive-not-utc", timestamp_naive},
    {"arrow-consumer-month-day-nano", month_day_nano},
    {"arrow-consumer-codec-optional", codec_optional},
    {"arrow-consumer-older-files", older_files},
    {"arrow-consumer-newer-detected", newer_detected},
    {"arrow-consumer-extension-metadata-survives", extension_metadata},
    {"arrow-consumer-canonical-extension-optional", canonical_extensions},
    {"arrow-consumer-converts-unsupported", converts_unsupported},
    // The last one: a program that hangs is not queried for ever.
    {"arrow-consumer-survives-any-input", survives_any_input},
};

}  // namespace

std::span<const ConsumerCheck> consumer_checks() { return kChecks; }

}  // namespace hepcheck::arrow::suite
