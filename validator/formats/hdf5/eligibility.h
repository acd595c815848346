// Determines whether a dataset can be appended to under SWMR.
#pragma once

#include <cstdint>
#include <string>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/dataset.h"
#include "validator/formats/hdf5/notes.h"

namespace hepcheck::hdf5 {

// The clauses whose violation makes a dataset ineligible.
const ClauseSet& reasons_against();

// The first few clauses: "swmr-eligible-chunked, swmr-eligible-no-vlen and 2 more".
std::string reasons_text(const ClauseSet& clauses);

constexpr unsigned kFirstSwmrSuperblock = 3;

// For the whole file: the properties of its superblock and superblock extension.
struct FileEligibility {
  bool cache_image = false;    // part of the metadata is in a metadata cache image
  bool several_files = false;  // a driver distributes the addresses over several files
};
void judge_eligibility(const FileEligibility& of, const Place& at, Notes& notes);
// For all datasets, if there are any.
void judge_superblock(unsigned version, const Place& at, Notes& notes);

// For a dataset, by its valid part. `heap_reference`: some element refers to a heap.
void judge_eligibility(const Dataset& dataset, bool heap_reference, Notes& notes);

// For a group on the path to a dataset; `old`: it has a symbol table, or a version 1 header.
void judge_path(bool old, const Place& at, Notes& notes);

// For a table: `eligible` of its `columns` datasets are eligible.
struct TableEligibility {
  std::uint64_t columns = 0, eligible = 0;
  std::string reasons{};  // of the others
};
void judge_eligibility(const TableEligibility& table, const Place& at, Notes& notes);

}  // namespace hepcheck::hdf5
