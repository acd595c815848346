// Whether memory ran short while a file was examined.
//
// The code that leaves something out for lack of memory records it here, whatever it says about it
// in words, and whichever thread it runs on. examine_file.h puts the record into the report, so
// that a caller with more memory can try again.
#pragma once

namespace hepcheck {

void record_memory_shortage();
// Whether a shortage was recorded since the last call, which forgets it.
bool take_memory_shortage();

}  // namespace hepcheck
