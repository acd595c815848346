// What the target `file` has to know of a format, to change its files so that they still get past
// its reader's door. Each format has one file here that defines it.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace hepcheck::fuzz {

// Mends in place what a change of bytes has made wrong about the file as a whole: checksums,
// lengths, where it ends. Leaves some of it be now and then, as `random` has it.
void mend(std::span<std::uint8_t> file, std::minstd_rand& random);

}  // namespace hepcheck::fuzz
