// IV.B, VIII.B and VIII.C: values.
#include "validator/formats/hdf5/values.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <functional>
#include <utility>

#include "validator/formats/hdf5/rule.h"
#include "validator/utf8.h"

namespace hepcheck::hdf5 {

namespace {

constexpr std::uint64_t kMostUses = 1'000'000;
constexpr unsigned kMostHeapLevels = 16;
constexpr std::uint32_t kMostIndex = 65'535;
constexpr std::size_t kMostTargets = 1'000'000, kMostAttributes = 10'000'000;

// --- The clauses --------------------------------------------------------------------------------

void values_hold(const ValueTally& it, Look& look) {
  if (it.examined == 0) return;
  look.looked(it.examined);
  if (it.broken > 0)
    static_cast<LookOf<Notes>&>(look).fail(
        it.broken == 1 ? it.observed : std::format("{}; {} values", it.observed, it.broken),
        it.expected);
}

// In the order of ValueClause.
constexpr Rule<ValueTally> kValueRules[] = {
    {"h5-vlen-object-exists", values_hold},
    {"h5-vlen-length", values_hold},
    {"h5-vlen-length-exact", values_hold},
    {"h5-vlen-nested", values_hold},
    {"h5-object-reference-target", values_hold},
    {"h5-object-reference-inside", values_hold},
    {"h5-region-reference-object-exists", values_hold},
    {"h5-region-reference-fits", values_hold},
    {"h5-region-reference-target", values_hold},
    {"h5-region-reference-bounds", values_hold},
    {"h5-string-terminated", values_hold},
    {"h5-string-utf8", values_hold},
    {"h5-string-ascii", values_hold},
    {"h5-reference-kind", values_hold},
    {"h5-reference-flags", values_hold},
    {"h5-reference-token", values_hold},
    {"h5-reference-object-exists", values_hold},
    {"h5-reference-block-size", values_hold},
    {"h5-reference-block-fits", values_hold},
    {"h5-reference-file-name", values_hold},
    {"h5-reference-selection-size", values_hold},
    {"h5-reference-attribute-name", values_hold},
    {"h5-fill-value-resolves", values_hold},
};
static_assert(std::size(kValueRules) == static_cast<std::size_t>(ValueClause::kCount));

// The rank before a selection in a block. The clause is listed with the selections.
struct BlockRank {
  std::uint32_t stated;
  std::optional<unsigned> wanted;
};

constexpr Rule kBlockRankRule("h5-selection-rank", [](const BlockRank& it, Look& look) {
  look.looked();
  if (it.stated < 1 || it.stated > kMostDimensions || (it.wanted && it.stated != *it.wanted))
    look.fail(0, std::format("rank {} before a selection", it.stated),
              it.wanted ? std::format("{}, that of the dataset", *it.wanted) : "1 to 32");
});

struct NamedAttribute {
  const std::string& name;
  bool there;
};

constexpr Rule kAttributeExistsRule("h5-reference-attribute-exists", [](const NamedAttribute& it,
                                                                        Look& look) {
  look.looked();
  if (!it.there)
    look.fail(0, std::format("a reference to the attribute \"{}\"", it.name),
              "an attribute of the object");
});

struct Amplified {
  std::uint64_t bytes, uses, file;
};

constexpr Rule kAmplificationRule("h5-risk-vlen-amplification", [](const Amplified& it,
                                                                   Look& look) {
  look.looked();
  if (it.bytes > std::uint64_t{1} << 30 && it.bytes > product(1'000, it.file))
    look.fail(0, std::format("{} bytes of variable-length values", it.bytes),
              std::format("in proportion to a file of {} bytes", it.file));
  else if (it.uses > kMostUses)
    look.fail(0, std::format("{} values that name one object of the heap", it.uses),
              "1,000,000 at most");
});

constexpr Rule kCodeRule("h5-risk-serialized-code", [](const std::string& it, Look& look) {
  look.looked();
  if (!it.empty()) look.fail(0, it, "values that no program runs");
});

// --- Serialized code ----------------------------------------------------------------------------

std::string_view letters(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The rest of a line that is the dotted name of a module or a class; empty if it is none.
std::string_view dotted_name(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == text.npos || end == 0) return {};
  const std::string_view name = text.substr(0, end);
  const auto good = [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
           (each >= '0' && each <= '9') || each == '_' || each == '.';
  };
  if (!std::ranges::all_of(name, good)) return {};
  text.remove_prefix(end + 1);
  return name;
}

// Of each text, and of all values that are bytes.
constexpr std::size_t kMostCode = 65'536;

std::string_view kind_of_code(std::string_view text) {
  text = text.substr(0, kMostCode);
  if (text.starts_with(std::string_view("\xac\xed\0\x05", 4))) return "serialized Java objects";
  const std::size_t end = text.find_last_not_of('\0');
  if (end == text.npos) return {};
  const bool stops = text[end] == '.' || text.size() == kMostCode;
  if (stops && end > 1 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5) return "a pickle";
  if (stops && (text[0] == 'c' || text.starts_with("(c") || text.starts_with("(i"))) {
    std::string_view rest = text.substr(text[0] == 'c' ? 1 : 2);
    if (!dotted_name(rest).empty() && !dotted_name(rest).empty()) return "a pickle";
  }
  if (text.contains("class_name") && text.contains("Lambda") && text.contains("\"4w"))
    return "a compiled Python function";
  return {};
}

// --- Types --------------------------------------------------------------------------------------

// Which types have values that are examined, or contain such.
std::vector<bool> interesting_types(const TypeNodes& types) {
  std::vector<bool> made(types.size());
  for (std::size_t i = types.size(); i-- > 0;) {
    const TypeNode& type = types[i];
    switch (type.type_class) {
      case TypeClass::kString:
      case TypeClass::kReference:
      case TypeClass::kVariableLength: made[i] = true; break;
      case TypeClass::kArray: made[i] = type.base < made.size() && made[type.base]; break;
      case TypeClass::kCompound:
        made[i] = std::ranges::any_of(type.members, [&](const TypeNode::Member& member) {
          return member.type < made.size() && made[member.type];
        });
        break;
      default: break;
    }
  }
  return made;
}

// Bytes that may hold serialized objects, over one or many elements.
bool of_bytes(const TypeNode& type) {
  return type.is(TypeClass::kOpaque) || (type.is(TypeClass::kInteger) && type.size == 1);
}

// Whether the storage may have bytes that were there before it was allocated. The library fills
// chunks unless the fill time is "never", and contiguous storage only with a fill value that is
// set.
bool may_be_unwritten(const Dataset& dataset) {
  constexpr unsigned kAtAllocation = 0, kNever = 1;
  const auto& fill = dataset.fill;
  if (dataset.layout.layout_class() == LayoutClass::kCompact) return false;
  if (dataset.layout.chunked()) return fill && fill->when == kNever;
  return !fill || (fill->when != kAtAllocation && (fill->when == kNever || !fill->has_value()));
}

constexpr std::string_view kUnwritten = ", or a value that was never written";

std::uint64_t digest_of(std::uint64_t object, const std::string& name) {
  return std::hash<std::string>()(name) ^ (object * 0x9e3779b97f4a7c15U);
}

}  // namespace

void value_rules(RuleList& list) {
  list.values<kValueRules, kAttributeExistsRule, kAmplificationRule, kCodeRule>();
}

bool Values::wanted(const Datatype& type) {
  if (!type.sound || !type.nodes) return false;
  return of_bytes(type.nodes->front()) || interesting_types(*type.nodes)[0];
}

bool Values::has_addresses(const Datatype& type) {
  return !type.nodes || std::ranges::any_of(*type.nodes, [](const TypeNode& node) {
    return node.is(TypeClass::kReference) || node.is(TypeClass::kVariableLength);
  });
}

// --- One dataset or attribute -------------------------------------------------------------------

void Values::begin(const Datatype& type, Of of) {
  types_ = type.nodes.get();
  interesting_ = interesting_types(*types_);
  of_ = of;
  tallies_ = {};
  taken_ = 0;
  told_ = unwritten_ = false;
  visited_.clear();
  code_.clear();
  bytes_.clear();
}

bool Values::take(const Region& elements) {
  const TypeNode& type = types_->front();
  if (of_bytes(type)) {
    const std::uint64_t left = kMostCode - bytes_.size();
    bytes_ += letters(elements.part(0, left).bytes);
    return bytes_.size() < kMostCode;
  }
  if (!interesting_[0]) return false;
  for (std::uint64_t at = 0; at + type.size <= elements.size(); at += type.size) {
    if (file_.exhausted()) return false;
    if (enough()) return false;
    element(0, elements.part(at, type.size), 0);
  }
  return true;
}

void Values::end(const Place& at) {
  [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {
    (judge_rule(kValueRules[kAt], tallies_[kAt], at, file_.notes), ...);
  }(std::make_index_sequence<std::size(kValueRules)>());
  if (of_bytes(types_->front())) code(std::as_bytes(std::span(bytes_)));
  if (looked_code_) judge<kCodeRule>(code_, at, file_.notes);
  looked_code_ = false;
  types_ = nullptr;
}

ValueClause Values::reported(ValueClause clause, unsigned level) const {
  const bool remark = clause == ValueClause::kVlenExact || clause == ValueClause::kObjectTarget ||
                      clause == ValueClause::kRegionTarget ||
                      clause == ValueClause::kRegionBounds ||
                      clause == ValueClause::kStringTerminated ||
                      clause == ValueClause::kStringUtf8 || clause == ValueClause::kStringAscii;
  if (remark) return clause;
  if (of_ == Of::kFill) return ValueClause::kFillResolves;
  return level > 0 ? ValueClause::kVlenNested : clause;
}

void Values::looked(ValueClause clause, unsigned level) {
  ++tallies_[static_cast<std::size_t>(reported(clause, level))].examined;
}

void Values::broken(ValueClause clause, unsigned level, std::string observed,
                    std::string expected) {
  ValueTally& tally = tallies_[static_cast<std::size_t>(reported(clause, level))];
  if (tally.broken++ > 0) return;
  tally.observed = std::move(observed);
  tally.expected = std::move(expected);
}

void Values::not_examined(std::string why) {
  if (std::exchange(told_, true)) return;
  file_.notes.not_examined("h5-vlen-object-exists", std::move(why), Notes::What::kValues);
}

// Whether no further value is examined.
bool Values::enough() {
  if (taken_ < most_) return false;
  not_examined("values beyond the first million");
  return true;
}

// Looks for serialized code at the beginning of these bytes.
void Values::code(std::span<const std::byte> bytes) {
  if (of_ != Of::kData) return;
  looked_code_ = true;
  if (!code_.empty()) return;
  if (const std::string_view kind = kind_of_code(letters(bytes)); !kind.empty()) code_ = kind;
}

// --- Elements -----------------------------------------------------------------------------------

void Values::element(std::uint32_t number, const Region& bytes, unsigned level) {
  const TypeNode& type = (*types_)[number];
  if (!interesting_[number] || bytes.size() < type.size) return;
  switch (type.type_class) {
    case TypeClass::kString: return text(type, bytes.bytes.first(type.size));
    case TypeClass::kReference: return reference(type, bytes.part(0, type.size), level);
    case TypeClass::kVariableLength: return variable_length(type, bytes.part(0, type.size), level);
    case TypeClass::kArray: {
      const std::uint64_t size = (*types_)[type.base].size;
      for (std::uint64_t i = 0; i < type.elements && !enough(); ++i)
        element(type.base, bytes.part(i * size, size), level);
      return;
    }
    case TypeClass::kCompound:
      for (const TypeNode::Member& member : type.members) {
        const std::uint64_t size = (*types_)[member.type].size;
        if (!interesting_[member.type]) continue;
        for (std::uint64_t i = 0; i < member.times && !enough(); ++i)
          element(member.type, bytes.part(member.offset + i * size, size), level);
      }
      return;
    default: return;
  }
}

void Values::text(const TypeNode& type, std::span<const std::byte> bytes) {
  ++taken_;
  code(bytes);
  const auto zero = std::ranges::find(bytes, std::byte{0});
  const auto length = static_cast<std::size_t>(zero - bytes.begin());
  if (type.is(TypeClass::kString) && type.string_padding() == 0) {
    looked(ValueClause::kStringTerminated, 0);
    if (zero == bytes.end())
      broken(ValueClause::kStringTerminated, 0,
             std::format("a string of {} bytes without a zero", bytes.size()),
             "a zero at its end, as its padding says");
  }
  const std::span<const std::byte> letters_only = bytes.first(length);
  if (type.charset() == 1) {
    looked(ValueClause::kStringUtf8, 0);
    const std::uint64_t good = well_formed_utf8(letters_only);
    if (good < length)
      broken(ValueClause::kStringUtf8, 0,
             std::format("a string that is not UTF-8 from byte {} on", good), "well-formed UTF-8");
  } else {
    looked(ValueClause::kStringAscii, 0);
    if (!is_ascii(letters_only))
      broken(ValueClause::kStringAscii, 0, "a string with other letters than ASCII",
             "the character set UTF-8, or letters below 128");
  }
}

// The object of the heap; none after a finding, or if it is not examined.
std::optional<Region> Values::object(std::uint64_t collection, std::uint32_t index,
                                     ValueClause clause, unsigned level) {
  looked(clause, level);
  const auto missing = [&](std::string observed) {
    broken(clause, level, std::move(observed), "an object of a collection");
  };
  if (collection == 0 || collection == kUndefined)
    return missing(std::format("{} address of a collection",
                               collection == 0 ? "the null" : "an undefined")),
           std::nullopt;
  if (index == 0 || index > kMostIndex)
    return missing(std::format("index {}", index)), std::nullopt;
  const GlobalHeaps::Found found = heaps_.object(collection, index);
  if (found.answer == GlobalHeaps::Answer::kNotExamined) {
    not_examined("values in a heap collection that is refused");
    return std::nullopt;
  }
  if (found.answer == GlobalHeaps::Answer::kMissing)
    return missing(std::format("index {}, which the collection at {} does not have", index,
                               collection)),
           std::nullopt;
  any_heap_ = true;
  if (uses_.size() < kMostTargets || uses_.contains(collection << 16U ^ index))
    most_uses_ = std::max(most_uses_, ++uses_[collection << 16U ^ index]);
  return found.data;
}

void Values::variable_length(const TypeNode& type, const Region& bytes, unsigned level) {
  ++taken_;
  Cursor read(bytes);
  const std::uint64_t length = read.u32();
  const std::uint64_t collection = read.address(file_.offset_size);
  const std::uint32_t index = read.u32();
  if (length == 0) {
    // There is nothing to examine, but the HDF5 library looks the object up.
    if (address_recording && collection != 0 && collection != kUndefined)
      heaps_.object(collection, index, /*used=*/false);
    return;
  }
  const std::optional<Region> data = object(collection, index, ValueClause::kVlenExists, level);
  if (!data) return;
  const TypeNode& base = (*types_)[type.base];
  const std::uint64_t size = product(length, base.size);
  looked(ValueClause::kVlenLength, level);
  if (data->size() < size)
    return broken(
        ValueClause::kVlenLength, level,
        std::format("{} elements of {} bytes in an object of {}", length, base.size, data->size()),
        "an object that holds them");
  amplified_ = sum(amplified_, size);
  looked(ValueClause::kVlenExact, level);
  if (data->size() > size)
    broken(ValueClause::kVlenExact, level,
           std::format("an object of {} bytes for {}", data->size(), size), "the same size");
  if (type.kind() == 1) return text(type, data->bytes.first(size));
  if (of_bytes(base)) return code(data->bytes.first(std::min<std::size_t>(size, kMostCode)));
  if (!interesting_[type.base]) return;
  const std::tuple object_of(collection, index, type.base, length);
  if (const auto known = visited_.find(object_of); known != visited_.end()) {
    amplified_ = sum(amplified_, known->second);
    return;
  }
  visited_.emplace(object_of, 0);
  if (level >= kMostHeapLevels) return not_examined("values nested deeper than 16 objects");
  if (!file_.charge(size)) return;
  // The heap keeps an object only until the next one is asked for.
  const std::vector<std::byte> kept(data->bytes.begin(),
                                    data->bytes.begin() + static_cast<std::ptrdiff_t>(size));
  const Region elements{kept, data->place};
  const std::uint64_t before = std::exchange(amplified_, 0);
  for (std::uint64_t i = 0; i < length && !enough(); ++i)
    element(type.base, elements.part(i * base.size, base.size), level + 1);
  visited_[object_of] = amplified_;
  amplified_ = sum(amplified_, before);
}

// --- References ---------------------------------------------------------------------------------

const Values::Target& Values::target(std::uint64_t address) {
  const auto [it, fresh] = targets_.try_emplace(address);
  if (!fresh) return it->second;
  const std::optional<ObjectHeader> header = headers_.peek(address);
  if (!header) return it->second;
  it->second.sound = true;
  it->second.dataset = header->has(MessageType::kDataspace) && header->has(MessageType::kLayout);
  const Message* space = header->find(MessageType::kDataspace);
  if (space && !space->shared()) {
    const Dataspace parsed = parse_dataspace(space->data, file_.length_size);
    if (parsed.whole) it->second.space = parsed;
  }
  return it->second;
}

// Whether it names an object of the file. `wrong`: the clause if there is another thing.
bool Values::object_address(std::uint64_t address, ValueClause wrong, unsigned level) {
  looked(ValueClause::kObjectInside, level);
  if (!file_.inside(address, 1)) {
    broken(ValueClause::kObjectInside, level, std::format("a reference to address {}", address),
           std::format("an address below {}, the end of the file", file_.end));
    return false;
  }
  looked(wrong, level);
  const Target& found = target(address);
  if (wrong == ValueClause::kRegionTarget ? found.sound && found.dataset : found.sound) return true;
  broken(
      wrong, level, std::format("a reference to address {}", address),
      wrong == ValueClause::kRegionTarget ? "the header of a dataset" : "the header of an object");
  return false;
}

void Values::object_reference(std::uint64_t address, unsigned level) {
  if (!unwritten_ || level > 0 || file_.inside(address, 1)) {
    object_address(address, ValueClause::kObjectTarget, level);
    return;
  }
  looked(ValueClause::kObjectTarget, level);
  broken(ValueClause::kObjectTarget, level,
         std::format("a reference to address {}{}", address, kUnwritten),
         "the header of an object");
}

// Also if its signature is damaged, and the rest of its header is that of a collection.
bool Values::collection_at(std::uint64_t address) {
  constexpr std::string_view kSignature = "GCOL", kVersion("\1\0\0\0", 4);
  std::array<std::byte, kSignature.size() + kVersion.size() + sizeof(std::uint64_t)> bytes{};
  const std::size_t used = bytes.size() - sizeof(std::uint64_t) + file_.length_size;
  if (!file_.inside(address, used) || !file_.read(address, std::span(bytes).first(used)))
    return false;
  const std::span<const std::byte> header(bytes);
  if (letters(header.first(kSignature.size())) == kSignature) return true;
  if (letters(header.subspan(kSignature.size(), kVersion.size())) != kVersion) return false;
  Cursor read(Region{header.subspan(kSignature.size() + kVersion.size())});
  const std::uint64_t size = read.number(file_.length_size);
  return size >= used && file_.inside(address, size);
}

void Values::reference(const TypeNode& type, const Region& bytes, unsigned level) {
  ++taken_;
  if (type.kind() > 1) return revised(bytes, level);
  Cursor read(bytes);
  const std::uint64_t address = read.address(file_.offset_size);
  if (type.kind() == 0) {
    if (address != 0 && address != kUndefined) object_reference(address, level);
    return;
  }
  const std::uint32_t index = read.u32();
  if ((address == 0 && index == 0) || address == kUndefined) return;
  if (unwritten_ && level == 0 && !collection_at(address)) {
    looked(ValueClause::kRegionTarget, level);
    return broken(ValueClause::kRegionTarget, level,
                  std::format("a collection at address {}{}", address, kUnwritten),
                  "the header of a dataset");
  }
  const std::optional<Region> data = object(address, index, ValueClause::kRegionExists, level);
  if (!data) return;
  looked(ValueClause::kRegionFits, level);
  if (data->size() < file_.offset_size + std::uint64_t{4})
    return broken(ValueClause::kRegionFits, level,
                  std::format("an object of {} bytes", data->size()), "an address and a selection");
  Cursor fields(*data);
  const std::uint64_t named = fields.address(file_.offset_size);
  const Region selection = data->part(fields.at());
  static const Target kNone;
  if (named == 0 || named == kUndefined) {
    looked(ValueClause::kRegionTarget, level);
    broken(ValueClause::kRegionTarget, level, "a region of no object", "the header of a dataset");
    return region(selection, kNone, kUndefined, level);
  }
  const bool good = object_address(named, ValueClause::kRegionTarget, level);
  region(selection, good ? target(named) : kNone, kUndefined, level);
}

// `stated`: the size of the selection; kUndefined if it is not stated.
void Values::region(const Region& bytes, const Target& target, std::uint64_t stated,
                    unsigned level) {
  const std::optional<unsigned> rank =
      target.space ? std::optional<unsigned>(target.space->rank) : std::nullopt;
  const std::optional<Selection> selection = read_selection(bytes, rank, file_);
  if (!selection) return;
  if (stated != kUndefined) {
    looked(ValueClause::kReferenceSelectionSize, level);
    if (stated != selection->size)
      return broken(ValueClause::kReferenceSelectionSize, level,
                    std::format("{} bytes stated of a selection", stated),
                    std::format("{}", selection->size));
  }
  judge_form(*selection, file_);
  if (!target.space || selection->greatest.size() != target.space->rank) return;
  looked(ValueClause::kRegionBounds, level);
  for (unsigned d = 0; d < target.space->rank; ++d)
    if (selection->greatest[d] != kUndefined && selection->greatest[d] >= target.space->sizes[d])
      return broken(ValueClause::kRegionBounds, level,
                    std::format("coordinate {} in dimension {} of size {}", selection->greatest[d],
                                d, target.space->sizes[d]),
                    "a region inside the dataset");
}

void Values::revised(const Region& bytes, unsigned level) {
  constexpr unsigned kObject = 2, kAttribute = 4, kExternal = 1;
  if (std::ranges::all_of(bytes.bytes, [](std::byte each) { return each == std::byte{0}; })) return;
  Cursor read(bytes);
  const unsigned kind = read.u8(), flags = read.u8();
  if (unwritten_ && level == 0 && (kind < kObject || kind > kAttribute)) {
    looked(ValueClause::kObjectTarget, level);
    return broken(ValueClause::kObjectTarget, level,
                  std::format("a reference of kind {}{}", kind, kUnwritten), "kind 2, 3 or 4");
  }
  looked(ValueClause::kReferenceKind, level);
  if (kind < kObject || kind > kAttribute)
    return broken(ValueClause::kReferenceKind, level, std::format("a reference of kind {}", kind),
                  "2, 3 or 4");
  looked(ValueClause::kReferenceFlags, level);
  if ((flags & ~kExternal) != 0)
    return broken(ValueClause::kReferenceFlags, level, std::format("flags {:#04x}", flags),
                  "bits 1 to 7 clear");
  const bool external = (flags & kExternal) != 0;
  if (kind == kObject && !external) {
    const unsigned size = read.u8();
    looked(ValueClause::kReferenceToken, level);
    if (size != file_.offset_size)
      return broken(ValueClause::kReferenceToken, level, std::format("a token of {} bytes", size),
                    std::format("{}", file_.offset_size));
    const std::uint64_t address = read.address(file_.offset_size);
    if (address != 0 && address != kUndefined) object_reference(address, level);
    return;
  }
  const std::uint64_t size = read.u32();
  const std::uint64_t collection = read.address(file_.offset_size);
  const std::uint32_t index = read.u32();
  const std::optional<Region> data =
      object(collection, index, ValueClause::kReferenceExists, level);
  if (!data) return;
  looked(ValueClause::kReferenceBlockSize, level);
  if (size != data->size())
    return broken(ValueClause::kReferenceBlockSize, level, std::format("a block of {} bytes", size),
                  std::format("{}, the size of the object", data->size()));
  block(*data, kind, external, level);
}

// The block of a reference in the heap.
void Values::block(const Region& data, unsigned kind, bool external, unsigned level) {
  constexpr unsigned kRegion = 3, kAttribute = 4, kLongestToken = 16;
  const auto name_of = [](const Region& name) { return std::string(letters(name.bytes)); };
  const auto cut = [&] {
    broken(ValueClause::kReferenceBlockFits, level,
           std::format("a block of {} bytes that ends before its last field", data.size()),
           "a block that holds its fields");
  };
  Cursor read(data);
  looked(ValueClause::kReferenceBlockFits, level);
  const unsigned token = read.u8();
  looked(ValueClause::kReferenceToken, level);
  if (external ? token < 1 || token > kLongestToken : token != file_.offset_size)
    return broken(ValueClause::kReferenceToken, level, std::format("a token of {} bytes", token),
                  external ? std::string("1 to 16") : std::format("{}", file_.offset_size));
  Cursor address_of(read.take(token));
  const std::uint64_t address = external ? 0 : address_of.address(file_.offset_size);
  std::string file_name;
  if (external) {
    file_name = name_of(read.take(read.u16()));
    if (!read.good()) return cut();
    looked(ValueClause::kReferenceFileName, level);
    if (file_name.empty() || file_name.contains('\0'))
      return broken(ValueClause::kReferenceFileName, level,
                    file_name.empty() ? "no name of a file" : "a zero in the name of a file",
                    "a name");
    profile_.add(Profile::Kind::kExternalReference, file_name);
  }
  static const Target kNone;
  std::uint64_t stated = kUndefined;
  std::uint32_t rank = 0;
  Region selection;
  std::string attribute;
  if (kind == kRegion) {
    stated = read.u32();
    rank = read.u32();
    selection = data.part(read.at());
  } else if (kind == kAttribute) {
    attribute = name_of(read.take(read.u16()));
  }
  if (!read.good()) return cut();
  const bool null = address == 0 || address == kUndefined;
  if (kind == kRegion && null && !external) {
    looked(ValueClause::kRegionTarget, level);
    broken(ValueClause::kRegionTarget, level, "a region of no object", "the header of a dataset");
  }
  const bool good =
      !external && !null &&
      object_address(address,
                     kind == kRegion ? ValueClause::kRegionTarget : ValueClause::kObjectTarget,
                     level);
  if (kind == kRegion) {
    const Target& of = good ? target(address) : kNone;
    const BlockRank judged{rank, of.space ? std::optional<unsigned>(of.space->rank) : std::nullopt};
    if (judge<kBlockRankRule>(judged, data.place, file_.notes))
      region(selection, of, stated, level);
  } else if (kind == kAttribute) {
    looked(ValueClause::kReferenceAttributeName, level);
    if (attribute.empty() || attribute.contains('\0'))
      return broken(ValueClause::kReferenceAttributeName, level,
                    attribute.empty() ? "no name of an attribute" : "a zero in the name", "a name");
    if (good && attribute_references_.size() < kMostTargets)
      attribute_references_.push_back({file_.notes.object(), address, std::move(attribute)});
  }
}

// --- What has values ----------------------------------------------------------------------------

void Values::attribute(const Attribute& attribute, std::uint64_t object) {
  if (attributes_.size() < kMostAttributes) attributes_.insert(digest_of(object, attribute.name));
  if (!wanted(attribute.type) || attribute.space.elements() == kUndefined) return;
  begin(attribute.type, Of::kData);
  take(attribute.value);
  end(attribute.value.place);
}

void Values::all_attributes_of(std::uint64_t object) {
  if (attributes_.size() < kMostAttributes) with_known_attributes_.insert(object);
}

void Values::fill(const Dataset& dataset) {
  if (!dataset.fill || !wanted(dataset.type)) return;
  if (dataset.fill->value.size() != dataset.type.size) return;
  begin(dataset.type, Of::kFill);
  take({dataset.fill->value, dataset.fill->value_at});
  // Strings are judged where they are data.
  for (const ValueClause clause :
       {ValueClause::kStringTerminated, ValueClause::kStringUtf8, ValueClause::kStringAscii})
    tallies_[static_cast<std::size_t>(clause)] = {};
  end(dataset.fill->value_at);
}

void Values::chunk(const Dataset& dataset, std::span<const std::uint64_t> scaled,
                   const Region& bytes) {
  const std::span<const std::uint64_t> sizes = dataset.chunk();
  const unsigned rank = dataset.rank();
  unwritten_ = may_be_unwritten(dataset);
  // How much of the chunk is inside the extent, in each dimension.
  std::array<std::uint64_t, kMostDimensions> inside{}, at{};
  for (unsigned d = 0; d < rank; ++d) {
    const std::uint64_t begin = product(scaled[d], sizes[d]);
    if (begin >= dataset.space.sizes[d]) {
      // They would be read after the dataset has grown.
      if (address_recording) not_examined("values in a chunk outside the size of the dataset");
      return;
    }
    inside[d] = std::min(sizes[d], dataset.space.sizes[d] - begin);
  }
  const std::uint64_t row = inside[rank - 1] * dataset.type.size;
  for (bool more = true; more;) {
    std::uint64_t first = 0;
    for (unsigned d = 0; d < rank; ++d) first = first * sizes[d] + at[d];
    if (!take(bytes.part(first * dataset.type.size, row))) return;
    more = false;
    for (unsigned d = rank - 1; d-- > 0 && !more;) {
      more = ++at[d] < inside[d];
      if (!more) at[d] = 0;
    }
  }
}

void Values::stored(const Dataset& dataset) {
  constexpr std::uint64_t kStep = std::uint64_t{1} << 16;
  const DataLayout& layout = dataset.layout;
  const std::uint64_t size = product(dataset.space.elements(), dataset.type.size);
  if (size == kUndefined || size == 0) return;
  if (layout.layout_class() == LayoutClass::kCompact) {
    take(layout.compact.part(0, size));
    return;
  }
  // The layout of a virtual dataset leads to its mappings.
  if (layout.layout_class() != LayoutClass::kContiguous) return;
  unwritten_ = may_be_unwritten(dataset);
  if (dataset.external || layout.address == kUndefined || !file_.inside(layout.address, size))
    return;
  const std::uint64_t step =
      std::max<std::uint64_t>(1, kStep / dataset.type.size) * dataset.type.size;
  if (step > file_.limits().block_bytes) return not_examined("elements beyond the limit");
  std::vector<std::byte> bytes;
  for (std::uint64_t at = 0; at < size;) {
    bytes.resize(std::min(step, size - at));
    if (!file_.read(layout.address + at, bytes) ||
        !take({bytes, file_.place("raw data", layout.address, at)}))
      return;
    at += bytes.size();
  }
}

void Values::judge_rest() {
  if (any_heap_) {
    file_.notes.enter(0);
    judge<kAmplificationRule>(Amplified{amplified_, most_uses_, file_.file().size()},
                              file_.place("superblock", 0), file_.notes);
  }
  for (const AttributeReference& each : attribute_references_) {
    file_.notes.enter(each.object);
    if (!with_known_attributes_.contains(each.target)) {
      file_.notes.blocked("h5-reference-attribute-exists",
                          "the attributes of an object that a reference names were not all read");
      continue;
    }
    const bool there = attributes_.contains(digest_of(each.target, each.name));
    judge<kAttributeExistsRule>(NamedAttribute{each.name, there},
                                file_.place("object header", each.target), file_.notes);
  }
}

}  // namespace hepcheck::hdf5
