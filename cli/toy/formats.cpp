// The formats of the command line with the toy format: this replaces validator/formats/formats.cpp.
#include "validator/format.h"

namespace hepcheck {

namespace hep001 {
extern const Format kFormat;
}
namespace hdf5 {
extern const Format kFormat;
}
namespace arrow {
extern const Format kFormat;
}
namespace tiledb {
extern const Format kFormat;
}
namespace toy {
extern const Format kFormat;
}

std::span<const Format* const> all_formats() {
  static constexpr const Format* kFormats[] = {&hep001::kFormat, &hdf5::kFormat, &arrow::kFormat,
                                               &tiledb::kFormat, &toy::kFormat};
  return kFormats;
}

}  // namespace hepcheck
