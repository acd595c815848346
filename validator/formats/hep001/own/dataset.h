// Datasets, without their values.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "validator/formats/hdf5/dataset.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/own/context.h"
#include "validator/formats/hep001/own/datatype.h"

namespace hepcheck::hep001::own {

// Context::mutex must be locked for both.
Dataset read_dataset(const hdf5::ObjectHeader& header, std::string name, std::string path,
                     const ObjectToken& token, Context& context);

// What reading its values needs: the messages, which views `header`, and the form of its elements.
struct StoredDataset {
  hdf5::Dataset messages{};
  std::shared_ptr<const ElementForm> form{};
};
std::optional<StoredDataset> read_stored(const hdf5::ObjectHeader& header, const std::string& path,
                                         Context& context, std::optional<std::string>& trouble,
                                         Datatype* model = nullptr);

}  // namespace hepcheck::hep001::own
