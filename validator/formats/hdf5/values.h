// The values of datasets and attributes, as far as clauses are about them: strings, and what leads
// to the global heap or to other objects.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "validator/formats/hdf5/attribute.h"
#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"
#include "validator/formats/hdf5/global_heap.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hdf5/profile.h"
#include "validator/formats/hdf5/selection.h"

namespace hepcheck::hdf5 {

// What can be found at a value. Each is a clause; one finding per dataset or attribute.
enum class ValueClause : std::uint8_t {
  kVlenExists,
  kVlenLength,
  kVlenExact,
  kVlenNested,
  kObjectTarget,
  kObjectInside,
  kRegionExists,
  kRegionFits,
  kRegionTarget,
  kRegionBounds,
  kStringTerminated,
  kStringUtf8,
  kStringAscii,
  kReferenceKind,
  kReferenceFlags,
  kReferenceToken,
  kReferenceExists,
  kReferenceBlockSize,
  kReferenceBlockFits,
  kReferenceFileName,
  kReferenceSelectionSize,
  kReferenceAttributeName,
  kFillResolves,
  kCount,
};

// How many values a clause was asked about, and how many break it.
struct ValueTally {
  std::uint64_t examined = 0, broken = 0;
  std::string observed{}, expected{};  // of the first one
};

class Values {
 public:
  // All must outlive it.
  Values(Container& file, GlobalHeaps& heaps, Headers& headers, Profile& profile)
      : file_(file), heaps_(heaps), headers_(headers), profile_(profile) {}

  // Whether values of that type are examined at all.
  static bool wanted(const Datatype& type);

  // Whether there are addresses among values of that type.
  static bool has_addresses(const Datatype& type);

  // Examines all values of each dataset, and not only the first million.
  void examine_all() { most_ = kUndefined; }

  // The values of notes().object(), or of an attribute of it: begin, take any number of times, end.
  enum class Of : std::uint8_t { kData, kFill };
  void begin(const Datatype& type, Of of);
  // Whole elements, one after the other. False if no more are examined.
  bool take(const Region& elements);
  void end(const Place& at);

  void attribute(const Attribute& attribute, std::uint64_t object);
  // attribute() was called for each attribute of the object.
  void all_attributes_of(std::uint64_t object);
  void fill(const Dataset& dataset);
  // The elements of a chunk that are inside the extent.
  void chunk(const Dataset& dataset, std::span<const std::uint64_t> scaled, const Region& bytes);
  // Compact and contiguous values.
  void stored(const Dataset& dataset);

  // When all objects have been read.
  void judge_rest();

 private:
  struct Target {
    bool sound = false, dataset = false;
    std::optional<Dataspace> space{};
  };
  const Target& target(std::uint64_t address);

  void element(std::uint32_t type, const Region& bytes, unsigned level);
  void text(const TypeNode& type, std::span<const std::byte> bytes);
  void variable_length(const TypeNode& type, const Region& bytes, unsigned level);
  void reference(const TypeNode& type, const Region& bytes, unsigned level);
  void revised(const Region& bytes, unsigned level);
  void block(const Region& data, unsigned kind, bool external, unsigned level);
  void region(const Region& selection, const Target& target, std::uint64_t stated, unsigned level);
  void object_reference(std::uint64_t address, unsigned level);
  bool object_address(std::uint64_t address, ValueClause wrong, unsigned level);
  std::optional<Region> object(std::uint64_t collection, std::uint32_t index, ValueClause clause,
                               unsigned level);
  void code(std::span<const std::byte> bytes);
  bool collection_at(std::uint64_t address);

  void looked(ValueClause clause, unsigned level);
  void broken(ValueClause clause, unsigned level, std::string observed, std::string expected);
  ValueClause reported(ValueClause clause, unsigned level) const;
  void not_examined(std::string why);
  bool enough();

  Container& file_;
  GlobalHeaps& heaps_;
  Headers& headers_;
  Profile& profile_;

  // Of the current dataset or attribute.
  const TypeNodes* types_ = nullptr;
  std::vector<bool> interesting_{};
  Of of_ = Of::kData;
  std::array<ValueTally, static_cast<std::size_t>(ValueClause::kCount)> tallies_{};
  std::uint64_t taken_ = 0, most_ = 1'000'000;
  bool told_ = false;
  bool unwritten_ = false;  // values may be there that nobody wrote
  // The objects that were read, by heap id, type and number of elements, and the bytes of the
  // values inside them.
  std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>, std::uint64_t>
      visited_{};
  std::string code_{};  // the kind of serialized code that was found
  bool looked_code_ = false;
  std::string bytes_{};  // the first ones of values that are bytes

  // Of the file.
  std::unordered_map<std::uint64_t, Target> targets_{};
  std::uint64_t amplified_ = 0;                              // bytes of all variable-length values
  std::unordered_map<std::uint64_t, std::uint64_t> uses_{};  // by heap id
  std::uint64_t most_uses_ = 0;
  bool any_heap_ = false;
  struct AttributeReference {
    std::uint32_t object;
    std::uint64_t target;
    std::string name;
  };
  std::vector<AttributeReference> attribute_references_{};
  std::unordered_set<std::uint64_t> attributes_{};             // digests of an object and a name
  std::unordered_set<std::uint64_t> with_known_attributes_{};  // objects, by their addresses
};

}  // namespace hepcheck::hdf5
