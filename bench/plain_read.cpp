// The baseline of the benchmark: one thread that uses the HDF5 library only.
//
//   plain_read read FILE   H5Dread of every dataset, whole, in its own datatype
//   plain_read columns FILE the same, except what is in SEARCH_INDEXES
//   plain_read open FILE   H5Oopen and H5Oclose of every object, group by group
//   plain_read chunks FILE the same, and H5Dchunk_iter over the chunks of every dataset
#include <hdf5.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Totals {
  std::uint64_t objects = 0, bytes = 0, chunks = 0;
};

enum class Mode { kRead, kColumns, kOpen, kChunks };

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "plain_read: %s failed\n", what);
  std::exit(1);
}

hid_t good(hid_t id, const char* what) {
  if (id < 0) give_up(what);
  return id;
}

// One buffer for all datasets, because allocating memory would slow down reading.
void read_whole(hid_t dataset, std::vector<char>& buffer, Totals& totals) {
  const hid_t type = good(H5Dget_type(dataset), "H5Dget_type");
  const hid_t space = good(H5Dget_space(dataset), "H5Dget_space");
  const auto bytes =
      static_cast<std::uint64_t>(H5Sget_simple_extent_npoints(space)) * H5Tget_size(type);
  if (buffer.size() < bytes) buffer.resize(bytes);
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer.data()) < 0) give_up("H5Dread");
  totals.bytes += bytes;
  H5Sclose(space);
  H5Tclose(type);
}

herr_t add_name(hid_t, const char* name, const H5L_info2_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

int count_chunk(const hsize_t*, unsigned, haddr_t, hsize_t, void* totals) {
  ++static_cast<Totals*>(totals)->chunks;
  return H5_ITER_CONT;
}

void look_at(hid_t dataset, Mode mode, std::vector<char>& buffer, Totals& totals) {
  if (mode == Mode::kRead || mode == Mode::kColumns) read_whole(dataset, buffer, totals);
  if (mode == Mode::kChunks && H5Dchunk_iter(dataset, H5P_DEFAULT, count_chunk, &totals) < 0)
    give_up("H5Dchunk_iter");
}

// Tables have no cycles, so a plain recursion visits each object once.
void visit(hid_t group, Mode mode, std::vector<char>& buffer, Totals& totals) {
  std::vector<std::string> names;
  hsize_t position = 0;
  if (H5Literate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, &position, add_name, &names) < 0)
    give_up("H5Literate2");
  for (const std::string& name : names) {
    if (mode == Mode::kColumns && name == "SEARCH_INDEXES") continue;
    const hid_t object = good(H5Oopen(group, name.c_str(), H5P_DEFAULT), "H5Oopen");
    ++totals.objects;
    const H5I_type_t kind = H5Iget_type(object);
    if (kind == H5I_GROUP)
      visit(object, mode, buffer, totals);
    else if (kind == H5I_DATASET)
      look_at(object, mode, buffer, totals);
    H5Oclose(object);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3)
    return std::fprintf(stderr, "usage: plain_read read|columns|open|chunks FILE\n"), 2;
  const Mode mode = std::strcmp(argv[1], "read") == 0      ? Mode::kRead
                    : std::strcmp(argv[1], "columns") == 0 ? Mode::kColumns
                    : std::strcmp(argv[1], "chunks") == 0  ? Mode::kChunks
                                                           : Mode::kOpen;
  const hid_t file = good(H5Fopen(argv[2], H5F_ACC_RDONLY, H5P_DEFAULT), "H5Fopen");
  const hid_t root = good(H5Gopen2(file, "/", H5P_DEFAULT), "H5Gopen2");
  std::vector<char> buffer;
  Totals totals;
  visit(root, mode, buffer, totals);
  H5Gclose(root);
  H5Fclose(file);
  std::printf("%llu objects, %llu bytes, %llu chunks\n",
              static_cast<unsigned long long>(totals.objects),
              static_cast<unsigned long long>(totals.bytes),
              static_cast<unsigned long long>(totals.chunks));
}
