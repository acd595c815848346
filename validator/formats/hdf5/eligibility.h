// Whether a dataset can be appended to under SWMR.
#pragma once

#include <cstdint>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"
#include "validator/formats/hdf5/notes.h"

namespace hepcheck::hdf5 {

// The clauses of which one that does not hold makes a dataset ineligible.
const ClauseSet& reasons_against();

// The first few of some clauses: "swmr-eligible-chunked, swmr-eligible-no-vlen and 2 more".
std::string reasons_text(const ClauseSet& clauses);

constexpr unsigned kFirstSwmrSuperblock = 3;

// Of the whole file: what its superblock, and the extension of that, say.
struct FileEligibility {
  bool cache_image = false;    // part of the metadata lies in an image of the cache
  bool several_files = false;  // a driver spreads the addresses over several files
};
void judge_eligibility(const FileEligibility& of, const Place& at, Notes& notes);
// Of all datasets, if there are any.
void judge_superblock(unsigned version, const Place& at, Notes& notes);

// Of a dataset, by what of it holds. `heap_reference`: some element refers to a heap.
void judge_eligibility(const Dataset& dataset, bool heap_reference, Notes& notes);

// A group above a dataset; `old`: it has a symbol table, or a header of version 1.
void judge_path(bool old, const Place& at, Notes& notes);

// A table: of `columns` datasets, `eligible` are.
struct TableEligibility {
  std::uint64_t columns = 0, eligible = 0;
  std::string reasons{};  // of the others
};
void judge_eligibility(const TableEligibility& table, const Place& at, Notes& notes);

}  // namespace hepcheck::hdf5
