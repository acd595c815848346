// What is around the HDF5 data of a file, and what its superblock says to a program that opens it:
// the part of the risk profile that belongs to the file as a whole.
#pragma once

#include <cstdint>
#include <string>

#include "validator/formats/hdf5/container.h"

namespace hepcheck::hdf5 {

struct FileRisks {
  std::uint64_t begin = 0, end = 0;  // of the HDF5 data, from the first byte of the file
  bool open_for_writing = false;
  std::string driver{};           // its name; empty if there is none
  std::uint64_t image_bytes = 0;  // of the image of the metadata cache
};
void judge_file_risks(const FileRisks& risks, Container& file);

}  // namespace hepcheck::hdf5
