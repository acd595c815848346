#include "validator/formats/hep001/libhdf5/plugins.h"

#include <dlfcn.h>
#include <hdf5.h>

#include <filesystem>
#include <string>

namespace hepcheck::hep001::libhdf5 {

namespace {

std::string plugin_folder(unsigned index) {
  const ssize_t length = H5PLget(index, nullptr, 0);
  std::string folder(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  if (length > 0) H5PLget(index, folder.data(), folder.size() + 1);
  return folder;
}

// Stays loaded until the program ends.
void load(const std::filesystem::path& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  const auto type = reinterpret_cast<H5PL_type_t (*)()>(dlsym(library, "H5PLget_plugin_type"));
  const auto info = reinterpret_cast<const void* (*)()>(dlsym(library, "H5PLget_plugin_info"));
  if (!type || !info || type() != H5PL_TYPE_FILTER) return;
  const auto* filter = static_cast<const H5Z_class2_t*>(info());
  if (filter && H5Zfilter_avail(filter->id) <= 0) H5Zregister(filter);
}

}  // namespace

void load_filter_plugins() {
  namespace fs = std::filesystem;
  unsigned folders = 0;
  H5PLsize(&folders);
  for (unsigned i = 0; i < folders; ++i) {
    std::error_code trouble;
    for (fs::directory_iterator it(plugin_folder(i), trouble), end; !trouble && it != end;
         it.increment(trouble))
      if (it->path().filename().string().contains(".so")) load(it->path());
  }
  H5Eclear2(H5E_DEFAULT);
}

}  // namespace hepcheck::hep001::libhdf5
