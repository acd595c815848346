// The interface between the target `file` and a format: how to change a file so that its reader
// still accepts it. Each format has one file here that defines it.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace hepcheck::fuzz {

// Repairs in place the inconsistencies that a mutation caused in the file as a whole: checksums,
// lengths, the end of the file. Sometimes leaves one, as selected by `random`.
void repair(std::span<std::uint8_t> file, std::minstd_rand& random);

}  // namespace hepcheck::fuzz
