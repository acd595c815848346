// Every format that there is. A new one is a folder below this one, and a line here.
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
namespace rntuple {
extern const Format kFormat;
}

std::span<const Format* const> all_formats() {
  static constexpr const Format* kFormats[] = {&hep001::kFormat, &hdf5::kFormat, &arrow::kFormat,
                                               &tiledb::kFormat, &rntuple::kFormat};
  return kFormats;
}

}  // namespace hepcheck
