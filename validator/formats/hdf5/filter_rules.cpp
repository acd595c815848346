// IV.A.2.l: what the client values of the filters of a dataset must say.
#include "validator/formats/hdf5/filter_rules.h"

#include <algorithm>
#include <format>
#include <string_view>

#include "validator/formats/hdf5/rule.h"

namespace hepcheck::hdf5 {

namespace {

struct FilterOf {
  const Filter& filter;
  const Dataset& dataset;

  bool is(std::uint16_t id) const { return filter.id == id; }
  std::uint64_t value(std::size_t number) const {
    return number < filter.values.size() ? filter.values[number] : 0;
  }
  std::size_t count() const { return filter.values.size(); }
  bool optional() const { return (filter.flags & Filter::kOptional) != 0; }
  bool left_out() const { return filter.left_out(); }
  // Whether the filters before this one leave a chunk as long as it is.
  bool whole_chunk() const {
    for (const Filter& before : dataset.filters.list) {
      if (&before == &filter) break;
      if (before.id != filter_id::kShuffle) return false;
    }
    return true;
  }
  bool chunked() const { return dataset.layout.chunked(); }
  std::uint64_t chunk_elements() const {
    std::uint64_t elements = 1;
    for (const std::uint64_t size : dataset.chunk()) elements = product(elements, size);
    return elements;
  }
  // The types of the dataset; null if they are not sound.
  const TypeNodes* types() const { return dataset.type.sound ? dataset.type.nodes.get() : nullptr; }
};

// --- Filters of other libraries -----------------------------------------------------------------

void deflate_values(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kDeflate)) return;
  look.looked();
  if (it.count() != 1)
    look.fail(it.filter.at, std::format("{} client values of deflate", it.count()), "one, a level");
  else if (it.value(0) > 9)
    look.fail(it.filter.at, std::format("level {}", it.value(0)), "0 to 9");
}

void shuffle_values(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kShuffle)) return;
  look.looked();
  if (it.left_out()) return;
  if (it.count() != 1)
    look.fail(it.filter.at, std::format("{} client values of shuffle", it.count()),
              "one, the size of an element");
  else if (it.value(0) == 0)
    look.fail(it.filter.at, "elements of 0 bytes", "a size above 0");
}

void shuffle_size(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kShuffle) || it.left_out()) return;
  look.looked();
  if (it.value(0) != it.dataset.type.size)
    look.fail(it.filter.at, std::format("elements of {} bytes", it.value(0)),
              std::format("{}, the size of the datatype", it.dataset.type.size));
}

void fletcher32_values(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kFletcher32)) return;
  look.looked();
  if (it.count() != 0)
    look.fail(it.filter.at, std::format("{} client values of fletcher32", it.count()), "none");
}

void szip_values(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kSzip)) return;
  look.looked();
  if (it.left_out()) return;
  const std::uint64_t block = it.value(1), bits = it.value(2), line = it.value(3);
  const auto bad = [&](std::string what, std::string wanted) {
    look.fail(it.filter.at, std::move(what), std::move(wanted));
  };
  if (it.count() != 4)
    bad(std::format("{} client values of szip", it.count()), "4");
  else if (block < 2 || block > 32 || block % 2 != 0)
    bad(std::format("{} pixels per block", block), "an even number from 2 to 32");
  else if ((bits < 1 || bits > 24) && bits != 32 && bits != 64 &&
           !(it.optional() && bits > 64))  // which no chunk can be stored through
    bad(std::format("{} bits per pixel", bits), "1 to 24, 32 or 64");
  else if (line < 1 || line > 128 * block)
    bad(std::format("{} pixels per scanline", line), std::format("1 to {}", 128 * block));
}

void szip_options(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kSzip)) return;
  look.looked();
  const std::uint64_t coding = it.value(0) & 0x24;
  if (coding != 0x20 && coding != 0x04)
    look.fail(it.filter.at, std::format("options {:#x}", it.value(0)),
              "one of nearest neighbour (0x20) and entropy coding (0x04)");
}

// --- n-bit --------------------------------------------------------------------------------------

// The description of a type in the values of n-bit.
class NbitWalk {
 public:
  explicit NbitWalk(std::span<const std::uint32_t> values) : values_(values) {}

  enum class End : std::uint8_t { kGood, kClass, kShort, kDeep };
  struct Described {
    std::uint64_t size = 0, bits = 0;  // bytes of an element, and the bits that are kept
  };

  Described walk(unsigned level = 1) {
    constexpr unsigned kMostLevels = 64;
    Described made;
    if (level > kMostLevels) return fail(End::kDeep);
    const std::uint32_t kind = next();
    if (end_ != End::kGood) return made;
    switch (kind) {
      case kAtomic:
        made.size = next();
        next();  // byte order
        made.bits = next();
        next();  // bit offset
        return made;
      case kArray: {
        made.size = next();
        const Described base = walk(level + 1);
        made.bits = base.size == 0 ? 0 : product(made.size / base.size, base.bits);
        return made;
      }
      case kCompound: {
        made.size = next();
        // Each member takes two values or more, so that this ends with the values.
        const std::uint32_t members = next();
        for (std::uint32_t i = 0; i < members && end_ == End::kGood; ++i) {
          next();  // offset
          made.bits = sum(made.bits, walk(level + 1).bits);
        }
        return made;
      }
      case kPlain:
        made.size = next();
        made.bits = product(8, made.size);
        return made;
      default: kind_ = kind; return fail(End::kClass);
    }
  }

  End end() const { return end_; }
  std::size_t used() const { return at_; }
  std::uint32_t kind() const { return kind_; }  // the unknown one

  static constexpr std::uint32_t kAtomic = 1, kArray = 2, kCompound = 3, kPlain = 4;

 private:
  std::uint32_t next() {
    if (end_ != End::kGood) return 0;
    if (at_ < values_.size()) return values_[at_++];
    end_ = End::kShort;
    return 0;
  }
  Described fail(End end) {
    if (end_ == End::kGood) end_ = end;
    return {};
  }

  std::span<const std::uint32_t> values_;
  std::size_t at_ = 0;
  std::uint32_t kind_ = 0;
  End end_ = End::kGood;
};

constexpr std::size_t kNbitHead = 3;  // number of values, nothing to pack, elements

std::span<const std::uint32_t> description(const Filter& filter) {
  const std::span<const std::uint32_t> values(filter.values);
  return values.subspan(std::min(kNbitHead, values.size()));
}

// Types that n-bit describes; of others it has the first three values only.
bool described(const TypeNode& type) {
  return type.is(TypeClass::kInteger) || type.is(TypeClass::kFloat) || type.is(TypeClass::kArray) ||
         type.is(TypeClass::kCompound);
}

void nbit_count(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kNbit)) return;
  look.looked();
  if (it.left_out()) return;
  if (it.count() < kNbitHead)
    look.fail(it.filter.at, std::format("{} client values of n-bit", it.count()), "3 or more");
  else if (it.value(0) != it.count())
    look.fail(it.filter.at, std::format("{} values, by the first", it.value(0)),
              std::format("{}, their number", it.count()));
  else if (it.value(1) > 1)
    look.fail(it.filter.at, std::format("flag {}", it.value(1)), "0 or 1");
}

void nbit_elements(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kNbit) || !it.chunked() || it.left_out()) return;
  look.looked();
  if (it.value(2) != it.chunk_elements())
    look.fail(it.filter.at, std::format("{} elements", it.value(2)),
              std::format("{}, those of a chunk", it.chunk_elements()));
}

void nbit_class(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kNbit) || it.left_out()) return;
  if (const auto* types = it.types(); types && !described(types->front())) return;
  look.looked();
  NbitWalk walk(description(it.filter));
  walk.walk();
  if (walk.end() == NbitWalk::End::kClass)
    look.fail(it.filter.at, std::format("class {} in the description of n-bit", walk.kind()),
              "1 to 4");
}

void nbit_parameters(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kNbit) || it.left_out()) return;
  look.looked();
  const std::size_t count = it.count() - std::min(kNbitHead, it.count());
  if (const auto* types = it.types(); types && !described(types->front())) {
    if (count > 0)
      look.fail(it.filter.at, std::format("{} values that describe the datatype", count),
                "none, as it is neither a number nor an array or compound");
    return;
  }
  NbitWalk walk(description(it.filter));
  walk.walk();
  if (walk.end() == NbitWalk::End::kShort)
    look.fail(it.filter.at, "a description that ends before its last value", "all of its values");
  else if (walk.end() == NbitWalk::End::kGood && walk.used() != count)
    look.fail(it.filter.at, std::format("{} values after the description", count - walk.used()),
              "none");
}

// Compares a description with a type.
class NbitMatch {
 public:
  NbitMatch(std::span<const std::uint32_t> values, const TypeNodes& types)
      : values_(values), types_(types) {}

  // The first difference; empty if there is none.
  const std::string& difference() const { return difference_; }

  void type(const TypeNode& type) {
    switch (type.type_class) {
      case TypeClass::kInteger:
      case TypeClass::kFloat:
        want("class", NbitWalk::kAtomic);
        want("size", type.size);
        want("byte order", type.bits & 1);
        want("precision", type.precision);
        want("bit offset", type.offset);
        break;
      case TypeClass::kArray:
        want("class", NbitWalk::kArray);
        want("size", type.size);
        if (good()) this->type(types_[type.base]);
        break;
      case TypeClass::kCompound:
        want("class", NbitWalk::kCompound);
        want("size", type.size);
        want("number of members", type.members.size());
        for (const TypeNode::Member& member : type.members) {
          if (!good()) return;
          want("member offset", member.offset);
          const TypeNode& inner = types_[member.type];
          // Dimensions of a member are an array to n-bit.
          if (member.times > 1) {
            want("class", NbitWalk::kArray);
            want("size", product(member.times, inner.size));
          }
          if (good()) this->type(inner);
        }
        break;
      default:
        want("class", NbitWalk::kPlain);
        want("size", type.size);
        break;
    }
  }

 private:
  bool good() const { return difference_.empty(); }
  void want(std::string_view name, std::uint64_t wanted) {
    if (!good()) return;
    const std::uint64_t stated = at_ < values_.size() ? values_[at_] : 0;
    ++at_;
    if (stated != wanted)
      difference_ = std::format("{} {} at value {}, where the datatype has {}", name, stated,
                                at_ + kNbitHead - 1, wanted);
  }

  std::span<const std::uint32_t> values_;
  const TypeNodes& types_;
  std::size_t at_ = 0;
  std::string difference_{};
};

void nbit_matches_datatype(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kNbit) || it.left_out()) return;
  const TypeNodes* types = it.types();
  if (!types || !described(types->front())) return;
  // The library describes these as they are in memory.
  if (std::ranges::any_of(*types, [](const TypeNode& type) {
        return type.is(TypeClass::kVariableLength) || type.is(TypeClass::kReference);
      }))
    return;
  NbitWalk walk(description(it.filter));
  walk.walk();
  if (walk.end() != NbitWalk::End::kGood) return;  // too deep
  look.looked();
  NbitMatch match(description(it.filter), *types);
  match.type(types->front());
  if (!match.difference().empty())
    look.fail(it.filter.at, match.difference(), "a description of the datatype");
}

// --- Scale-offset -------------------------------------------------------------------------------

constexpr std::size_t kScaleOffsetValues = 20;

bool scaled_integers(const FilterOf& it) { return it.value(0) == 2; }

void scaleoffset_values(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kScaleOffset)) return;
  look.looked();
  if (it.left_out()) return;
  const std::uint64_t scaling = it.value(0), kind = it.value(3);
  if (it.count() != kScaleOffsetValues)
    look.fail(it.filter.at, std::format("{} client values of scale-offset", it.count()), "20");
  else if (scaling != 0 && scaling != 2)
    look.fail(it.filter.at, std::format("scaling {}", scaling), "0 (decimal) or 2 (integer)");
  else if (kind != (scaling == 2 ? 0U : 1U) &&
           !(it.optional() && scaling == 2 && kind == 1))  // through which no chunk can be stored
    look.fail(it.filter.at, std::format("class {} with scaling {}", kind, scaling),
              "integers with 2, floating-point numbers with 0");
  else if (it.value(7) > 1)
    look.fail(it.filter.at, std::format("flag {} of the fill value", it.value(7)), "0 or 1");
}

void scaleoffset_elements(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kScaleOffset) || !it.chunked() || it.left_out()) return;
  look.looked();
  if (it.value(2) != it.chunk_elements())
    look.fail(it.filter.at, std::format("{} elements", it.value(2)),
              std::format("{}, those of a chunk", it.chunk_elements()));
}

void scaleoffset_datatype(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kScaleOffset) || !it.types() || it.left_out()) return;
  look.looked();
  const TypeNode& type = it.types()->front();
  const bool integer = type.is(TypeClass::kInteger);
  const auto bad = [&](std::string what, std::string wanted) {
    look.fail(it.filter.at, std::move(what), std::move(wanted));
  };
  if (!integer && !type.is(TypeClass::kFloat))
    bad("scale-offset of a datatype that is no number", "integers or floating-point numbers");
  else if ((it.value(3) == 0) != integer)
    bad(std::format("class {}", it.value(3)), std::format("{}", integer ? 0 : 1));
  else if (it.value(4) != type.size)
    bad(std::format("elements of {} bytes", it.value(4)), std::format("{}", type.size));
  else if (type.size != 4 && type.size != 8 && (!integer || (type.size != 1 && type.size != 2)))
    bad(std::format("numbers of {} bytes", type.size), "1, 2, 4 or 8; floating-point ones 4 or 8");
  else if (const std::uint64_t sign = integer ? type.bits >> 3 & 1 : 0; it.value(5) != sign)
    bad(std::format("sign {}", it.value(5)), std::format("{}", sign));
  else if (it.value(6) != (type.bits & 1))
    bad(std::format("byte order {}", it.value(6)), std::format("{}", type.bits & 1));
}

void scaleoffset_bits(const FilterOf& it, Look& look) {
  if (!it.is(filter_id::kScaleOffset) || !scaled_integers(it) || it.left_out()) return;
  look.looked();
  const auto bits = static_cast<std::int32_t>(it.value(1));
  if (bits < 0 || static_cast<std::uint64_t>(bits) > 8 * it.value(4))
    look.fail(it.filter.at, std::format("{} bits", bits), std::format("0 to {}", 8 * it.value(4)));
}

// In the order of a chunk's way back: what the first error makes meaningless is not asked.
constexpr Rule<FilterOf> kFilterRules[] = {
    {"h5-filter-deflate-values", deflate_values},
    {"h5-filter-shuffle-values", shuffle_values},
    {"h5-filter-shuffle-size", shuffle_size},
    {"h5-filter-fletcher32-values", fletcher32_values},
    {"h5-filter-szip-values", szip_values},
    {"h5-filter-szip-options", szip_options},
    {"h5-nbit-count", nbit_count},
    {"h5-nbit-elements", nbit_elements},
    {"h5-nbit-class", nbit_class},
    {"h5-nbit-parameters", nbit_parameters},
    {"h5-nbit-matches-datatype", nbit_matches_datatype},
    {"h5-scaleoffset-values", scaleoffset_values},
    {"h5-scaleoffset-elements", scaleoffset_elements},
    {"h5-scaleoffset-datatype", scaleoffset_datatype},
    {"h5-scaleoffset-bits", scaleoffset_bits},
};

constexpr Rule kChunkedOnlyRule("h5-filters-chunked-only", [](const Dataset& it, Look& look) {
  if (!it.filtered()) return;
  look.looked();
  if (!it.layout.chunked())
    look.fail(0,
              std::format("filters of a dataset that is {}", to_string(it.layout.layout_class())),
              "chunks, to which they apply");
});

// --- Chunks -------------------------------------------------------------------------------------

struct PackedChunk : FilterOf {
  std::span<const std::byte> bytes;
};

void nbit_chunk_length(const PackedChunk& it, Look& look) {
  if (!it.is(filter_id::kNbit)) return;
  look.looked();
  const std::uint64_t whole = it.dataset.layout.chunk_bytes();
  if (it.value(1) == 1) {
    if (it.bytes.size() != whole && it.whole_chunk())
      look.fail(0, std::format("{} bytes that n-bit left alone", it.bytes.size()),
                std::format("{}, a chunk", whole));
    return;
  }
  const std::optional<std::uint64_t> bits = nbit_bits(it.filter);
  if (!bits) return;
  const std::uint64_t least = divided_up(product(it.chunk_elements(), *bits), 8);
  if (it.bytes.size() < least)
    look.fail(
        0, std::format("{} bytes that n-bit made", it.bytes.size()),
        std::format("{} or more, for {} elements of {} bits", least, it.chunk_elements(), *bits));
}

void scaleoffset_chunk(const PackedChunk& it, Look& look) {
  constexpr std::uint64_t kHead = 21;
  if (!it.is(filter_id::kScaleOffset)) return;
  look.looked();
  const std::uint64_t full = 8 * it.value(4), whole = it.dataset.layout.chunk_bytes();
  // With all bits of integers the filter leaves the chunk alone.
  if (scaled_integers(it) && it.value(1) == full) {
    if (it.bytes.size() != whole && it.whole_chunk())
      look.fail(0, std::format("{} bytes that scale-offset left alone", it.bytes.size()),
                std::format("{}, a chunk", whole));
    return;
  }
  Cursor read(Region{it.bytes});
  const std::uint32_t bits = read.u32();
  const std::uint8_t width = read.u8();
  if (it.bytes.size() < kHead)
    return look.fail(0, std::format("{} bytes that scale-offset made", it.bytes.size()),
                     "21 or more");
  if (bits > full)
    return look.fail(0, std::format("{} bits of an element", bits),
                     std::format("{} at most", full));
  if (width != 8) return look.fail(0, std::format("a minimum of {} bytes", width), "8");
  const std::uint64_t least =
      kHead + (bits == full ? whole : divided_up(product(it.chunk_elements(), bits), 8));
  if (it.bytes.size() < least)
    look.fail(
        0, std::format("{} bytes that scale-offset made", it.bytes.size()),
        std::format("{} or more, for {} elements of {} bits", least, it.chunk_elements(), bits));
}

constexpr Rule<PackedChunk> kPackedRules[] = {
    {"h5-nbit-chunk-length", nbit_chunk_length},
    {"h5-scaleoffset-chunk", scaleoffset_chunk},
};

}  // namespace

void filter_value_rules(RuleList& list) {
  list.structure<kFilterRules, kChunkedOnlyRule>();
  list.values<kPackedRules>();
}

bool judge_filters(const Dataset& dataset, const Place& at, Container& file) {
  judge<kChunkedOnlyRule>(dataset, at, file.notes);
  bool sound = true;
  for (const Filter& filter : dataset.filters.placed())
    sound &= judge<kFilterRules>(FilterOf{filter, dataset}, at, file.notes);
  return sound;
}

std::optional<std::uint64_t> nbit_bits(const Filter& filter) {
  NbitWalk walk(description(filter));
  const NbitWalk::Described made = walk.walk();
  if (walk.end() != NbitWalk::End::kGood) return std::nullopt;
  return made.bits;
}

bool leaves_chunks_alone(const Filter& filter) {
  const std::vector<std::uint32_t>& values = filter.values;
  if (filter.id == filter_id::kNbit) return values.size() >= kNbitHead && values[1] == 1;
  return filter.id == filter_id::kScaleOffset && values.size() == kScaleOffsetValues &&
         values[0] == 2 && values[1] == 8 * std::uint64_t{values[4]};
}

bool judge_packed_chunk(const Filter& filter, std::span<const std::byte> bytes,
                        const Dataset& dataset, const Place& at, Notes& notes) {
  return judge<kPackedRules>(PackedChunk{{filter, dataset}, bytes}, at, notes);
}

}  // namespace hepcheck::hdf5
