// The clauses on datatypes beyond those of the SWMR catalogue: what the bytes of each class mean.
// `datatype.cpp` reads the types, and asks these while it does; after the first error of a message,
// none of them is asked any more.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/notes.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

// More levels, and more members in a message, are remarkable.
constexpr unsigned kManyTypeLevels = 32;
constexpr std::uint64_t kManyTypeMembers = 4'096;

// The dimensions of a member of a version 1 compound.
struct TypeDimensions {
  std::uint8_t rank = 0;
  std::array<std::uint32_t, 4> sizes{};

  std::uint64_t product() const;
};

struct TypeEnumeration {
  std::uint32_t size, base;
  std::vector<std::string_view> names;
  Region values;  // one after the other
};

// Each returns false after an error.
bool judge_type(const TypeNode& type, const TypeNodes& all, Container& file);
bool judge_type_member(std::string_view name, const TypeDimensions& dimensions, const Place& at,
                       Notes& notes);
bool judge_type_member_names(std::vector<std::string_view> names, const Place& at, Notes& notes);
bool judge_type_enumeration(TypeEnumeration enumeration, const Place& at, Notes& notes);
bool judge_type_array(unsigned rank, const Place& at, Notes& notes);

// Of a message without an error: what only needs a remark.
void judge_type_form(const TypeNodes& types, Notes& notes);
// Of any message.
void judge_type_depth(bool deep, const Place& at, Notes& notes);
void judge_type_members(std::uint64_t members, const Place& at, Notes& notes);

}  // namespace hepcheck::hdf5
