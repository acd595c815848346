// HEP001 10.7 "Per-chunk Bloom filter index (KIND = CHUNK_BLOOM)".
#include "validator/formats/hep001/derive/bloom.h"
#include "validator/formats/hep001/rules/families.h"

namespace hepcheck::hep001 {

namespace {

void bloom_m_bytes_positive(const Table&, const BloomIndex& index, Probe& probe) {
  if (!of_right_rank(index, probe)) return;
  probe.looked();
  if (index.data().space.extent[1] == 0)
    probe.fail({.object = index.path(),
                .observed = describe(index.data().space),
                .expected = "at least one byte per filter",
                .hint = kRebuild});
}

// m_bits as a number, of any width.
std::optional<std::uint64_t> m_bits(const BloomIndex& index, Probe& probe) {
  const Attribute* a =
      readable_scalar(index.data().attribute("m_bits"), "bloom-m-bits-scalar", probe);
  const std::optional<std::uint64_t> value = a ? unsigned_value(*a) : std::nullopt;
  if (a && !value) probe.blocked("m_bits is not an unsigned integer", by({"bloom-m-bits-uint64"}));
  return value;
}

void bloom_m_bits_multiple_of_8(const Table&, const BloomIndex& index, Probe& probe) {
  const std::optional<std::uint64_t> bits = m_bits(index, probe);
  if (!bits) return;
  probe.looked();
  if (*bits % 8 != 0)
    probe.fail({.object = index.path(),
                .attribute = "m_bits",
                .observed = std::to_string(*bits),
                .expected = "a multiple of 8",
                .hint = kRebuild});
}

void bloom_m_bits_equals_8_m_bytes(const Table&, const BloomIndex& index, Probe& probe) {
  if (!counts(index, probe)) return;
  const std::optional<std::uint64_t> bits = m_bits(index, probe);
  if (!bits) return;
  if (*bits % 8 != 0)
    return probe.blocked("m_bits is not a multiple of 8", by({"bloom-m-bits-multiple-of-8"}));
  if (!of_right_rank(index, probe)) return;
  const std::uint64_t bytes = index.data().space.extent[1];
  if (bytes == 0) return probe.blocked("no bytes", by({"bloom-m-bytes-positive"}));
  probe.looked();
  if (*bits / 8 != bytes)
    probe.fail({.object = index.path(),
                .attribute = "m_bits",
                .observed = std::to_string(*bits),
                .expected = std::format("8 times the {} byte columns", bytes),
                .hint = "Write the number of bits per chunk of the dataset."});
}

void bloom_membership(const Table&, const BloomIndex& index, const BloomFacts& facts,
                      Probe& probe) {
  if (!established(facts.obstacle, probe)) return;
  if (facts.only_wrapped_fits) {
    probe.warn({.object = index.path(),
                .observed = "filter bits that fit only if h_a + i * h_b wraps at 64 bits",
                .expected = "sums of exact integers, the literal interpretation",
                .hint = "Use a power of two for m_bits, for which both interpretations agree.",
                .witness = facts.lost.witness,
                .more = facts.lost.count - 1});
    return probe.looked();
  }
  Difference lost = facts.lost;
  if (!facts.explanation.empty()) lost.stored += "; " + facts.explanation;
  report(lost, index.path(), "row", kRebuild, probe);
}

void bloom_nan_not_inserted(const Table&, const BloomIndex& index, const BloomFacts& facts,
                            Probe& probe) {
  if (!index.column || !is_ieee_float(index.column->data->type)) return;
  if (!established(facts.obstacle, probe)) return;
  if (facts.excluded_chunks == 0) return;
  report(facts.excluded_inserted, index.path(), "chunk", kRebuild, probe);
  // Other bits are set as well, so this may be chance.
  if (facts.excluded_perhaps.count > 0)
    report(facts.excluded_perhaps, index.path(), "chunk", kRebuild, probe, true);
}

// Readers that search for a missing row find none in the filter, and do not need to.
void bloom_enum_fill_not_inserted(const Table&, const BloomIndex& index, const BloomFacts& facts,
                                  Probe& probe) {
  if (!index.column || !index.column->data->type.is(TypeClass::kEnum)) return;
  if (!established(facts.obstacle, probe) || facts.excluded_chunks == 0) return;
  report(facts.excluded_inserted, index.path(), "chunk", kRebuild, probe);
}

bool is_composite(const Table& table, const Datatype& type) {
  return type.is(TypeClass::kCompound) || type.is(TypeClass::kArray) || type.is(TypeClass::kVlen) ||
         (type.is(TypeClass::kEnum) && !is_hep001_boolean(type) && !table.revision->bloom_enums);
}

Finding wrong_column(const BloomIndex& index, std::string expected) {
  return {.object = index.path(),
          .observed =
              "a filter over " + index.column->name() + ", " + describe(index.column->data->type),
          .expected = std::move(expected),
          .hint = "Delete the index."};
}

void bloom_type(const Table& table, const BloomIndex& index, Probe& probe) {
  if (!index.column) return;  // index-referenced, bloom-one-column
  const Datatype& type = index.column->data->type;
  if (type.is(TypeClass::kReference) || is_composite(table, type)) return;  // bloom-no-*
  probe.looked();
  if (!has_canonical_bytes(type, *table.revision))
    probe.fail(wrong_column(index, "a datatype with canonical bytes"));
}

void bloom_no_reference_column(const Table&, const BloomIndex& index, Probe& probe) {
  if (!index.column) return;
  probe.looked();
  if (index.column->data->type.is(TypeClass::kReference))
    probe.fail(wrong_column(index, "no filter over references"));
}

// The clause of either revision.
void bloom_no_composite(const Table& table, const BloomIndex& index, Probe& probe) {
  if (!index.column) return;
  probe.looked();
  if (is_composite(table, index.column->data->type))
    probe.fail(
        wrong_column(index, std::format("no filter over compound, {}array or sequence columns",
                                        table.revision->bloom_enums ? "" : "enum, ")));
}

void bloom_k_positive(const Table&, const BloomIndex& index, Probe& probe) {
  const Attribute* k = readable_scalar(index.data().attribute("k"), "bloom-k-scalar", probe);
  if (!k) return;
  const std::optional<std::uint64_t> value = unsigned_value(*k);
  if (!value) return probe.blocked("k is not an unsigned integer", by({"bloom-k-uint16"}));
  probe.looked();
  if (*value == 0)
    probe.fail({.object = index.path(),
                .attribute = "k",
                .observed = "0",
                .expected = "at least one hash function",
                .hint = kRebuild});
}

void bloom_hash_family_value(const Table&, const BloomIndex& index, Probe& probe) {
  const Attribute* family =
      readable_scalar(index.data().attribute("hash_family"), "bloom-hash-family-scalar", probe);
  family = readable_string(family, "bloom-hash-family-fixed-string", probe);
  if (!family) return;
  probe.looked();
  const std::string value = string_value(*family).value_or("");
  if (value != "murmur3_x64_128_double")
    probe.fail({.object = index.path(),
                .attribute = "hash_family",
                .observed = '"' + value + '"',
                .expected = "\"murmur3_x64_128_double\"",
                .hint = kRebuild});
}

constexpr Rule kChunkBloomRules[] = {
    {"bloom-rank-2", has_rank<BloomIndex>},
    {"bloom-rows-chunked", length_over_chunked<BloomIndex>},
    {"bloom-rows-contiguous", length_over_contiguous<BloomIndex>},
    {"bloom-uint8", elements_are_uint8<BloomIndex>},
    {"bloom-m-bytes-positive", bloom_m_bytes_positive},
    {"bloom-m-bits-multiple-of-8", bloom_m_bits_multiple_of_8},
    {"bloom-membership", bloom_membership},
    {"bloom-nan-not-inserted", bloom_nan_not_inserted},
    {"bloom-enum-fill-not-inserted", bloom_enum_fill_not_inserted},
    {"bloom-type", bloom_type},
    {"bloom-no-reference-column", bloom_no_reference_column},
    {"bloom-no-composite-column", bloom_no_composite},
    {"bloom-no-compound-array-sequence", bloom_no_composite},
    {"bloom-k-present", has_attribute<BloomIndex, "k">},
    {"bloom-k-scalar", on_index<BloomIndex, "k", is_scalar>},
    {"bloom-k-uint16", on_index<BloomIndex, "k", is_uint<2>>},
    {"bloom-m-bits-present", has_attribute<BloomIndex, "m_bits">},
    {"bloom-m-bits-scalar", on_index<BloomIndex, "m_bits", is_scalar>},
    {"bloom-m-bits-uint64", on_index<BloomIndex, "m_bits", is_uint<8>>},
    {"bloom-seed-present", has_attribute<BloomIndex, "seed">},
    {"bloom-seed-scalar", on_index<BloomIndex, "seed", is_scalar>},
    {"bloom-seed-uint32", on_index<BloomIndex, "seed", is_uint<4>>},
    {"bloom-k-positive", bloom_k_positive},
    {"bloom-m-bits-equals-8-m-bytes", bloom_m_bits_equals_8_m_bytes},
    {"bloom-hash-family-present", has_attribute<BloomIndex, "hash_family">},
    {"bloom-hash-family-scalar", on_index<BloomIndex, "hash_family", is_scalar>},
    {"bloom-hash-family-fixed-string", on_index<BloomIndex, "hash_family", is_fixed_string>},
    {"bloom-hash-family-ascii",
     on_index<BloomIndex, "hash_family", is_ascii<"bloom-hash-family-fixed-string">>},
    {"bloom-hash-family-value", bloom_hash_family_value},
    {"bloom-one-column", one_column<BloomIndex>},
};

}  // namespace

std::span<const Rule> chunk_bloom_rules() { return kChunkBloomRules; }

}  // namespace hepcheck::hep001
