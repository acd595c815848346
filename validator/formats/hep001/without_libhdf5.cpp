// In a build without libhdf5: tables are read by the program's own reader, and what needs the
// library says so.
#include <string>

#include "validator/formats/hep001/exchange/import_table.h"
#include "validator/formats/hep001/index_file.h"
#include "validator/formats/hep001/libhdf5/edit.h"
#include "validator/formats/hep001/libhdf5/open_modes.h"
#include "validator/formats/hep001/libhdf5/read_content.h"
#include "validator/formats/hep001/reader/library.h"
#include "validator/formats/hep001/reduce.h"
#include "validator/formats/hep001/repair/repair.h"

namespace hepcheck::hep001 {

namespace {

constexpr const char* kWhy = "this program was built without libhdf5, which this needs";

IndexOutcome refused(const IndexPlace& place) {
  return std::unexpected(IndexRefusal{.error = {place.file, kWhy}});
}

}  // namespace

void prepare_library(const FileOptions&) {}

Result<std::unique_ptr<TableFile>> open_with_library(const Bytes& file, const FileOptions&, bool) {
  return failure(file.name(), kWhy);
}

IndexOutcome build_index(const IndexPlace& place, const IndexOptions&) { return refused(place); }

IndexOutcome drop_index(const IndexPlace& place, const FileOptions&, const WriteOptions&) {
  return refused(place);
}

std::expected<Imported, ExchangeRefusal> import_table(const exchange::Table&,
                                                      const TablePlace& place,
                                                      const ImportOptions&) {
  return std::unexpected(ExchangeRefusal{.error = {place.file, kWhy}});
}

Result<Reduced> reduce(std::span<const std::byte>, const std::string& group, const std::string&,
                       const Specification*, const FileOptions&, const ReduceWatch&) {
  return failure(group, kWhy);
}

Result<std::vector<RepairedSubject>> repair_tables(Rewrite&, const std::string& name,
                                                   const RepairRequest&) {
  return failure(name, kWhy);
}

namespace libhdf5 {

const char* why_unavailable() { return kWhy; }

Result<Image> edited(std::span<const std::byte>, std::span<const Edit>) {
  return failure("the file", kWhy);
}

trace::Content read_content(int, Opening, std::uint64_t) {
  trace::Content content;
  content.unreadable = kWhy;
  return content;
}

void judge_tables(std::span<const std::byte>, trace::Content&) {}

std::string_view to_string(OpenMode) { return "open"; }
std::string library_version() { return "none"; }

Result<std::vector<OpenAttempt>> try_openings(const std::string& folder, bool) {
  return failure(folder, kWhy);
}
Result<Appends> try_appends(const std::string& folder) { return failure(folder, kWhy); }

}  // namespace libhdf5

}  // namespace hepcheck::hep001
