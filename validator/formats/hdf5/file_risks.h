// The parts of the risk profile that are about the file as a whole.
#pragma once

#include <cstdint>

#include "validator/formats/hdf5/container.h"

namespace hepcheck::hdf5 {

struct FileRisks {
  std::uint64_t position = 0;  // of the superblock
  std::uint64_t end = 0;       // by the superblock, from the first byte of the file
  bool open_for_writing = false, cache_image = false, several_files = false;
};

void judge_file_risks(const FileRisks& risks, Container& file);

}  // namespace hepcheck::hdf5
