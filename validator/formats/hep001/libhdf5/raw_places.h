// Where the library finds the bytes of a dataset: afterwards they are read without it.
#pragma once

#include <cstdint>
#include <optional>

#include "validator/formats/hep001/libhdf5/read_attributes.h"
#include "validator/formats/hep001/storage/raw_data.h"

namespace hepcheck::hep001::libhdf5 {

// The bytes of an opened file; none if its driver does not keep it in one plain file or in memory,
// or if addresses do not count from its beginning (a user block).
FileBytes file_bytes(const FileContext& context);

// The location of a dataset's bytes. Nothing if they must be read through the library: other
// filters, datatypes with another form in memory, virtual and external storage.
std::optional<RawData> contiguous_data(const FileBytes& file, const Dataset& model);
// The same for an opened chunked dataset.
std::optional<RawData> chunked_data(const FileContext& context, const FileBytes& file,
                                    hid_t dataset, const Dataset& model);

// The filters, as bits by position, that no stored chunk of an opened dataset used; none if the
// chunks cannot be listed.
std::uint32_t filters_skipped_by_all(hid_t dataset);

}  // namespace hepcheck::hep001::libhdf5
