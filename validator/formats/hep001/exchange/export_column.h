// Converts columns of a table to neutral columns, some rows at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "validator/exchange/table.h"
#include "validator/formats/hep001/model/table.h"
#include "validator/formats/hep001/model/values.h"

namespace hepcheck::hep001 {

class ColumnReader {
 public:
  virtual ~ColumnReader() = default;
  const exchange::Field& field() const { return field_; }
  // The approximate number of bytes of a row in memory.
  virtual std::uint64_t row_bytes() const = 0;
  // Rows [first, first + count). An error names a row that has no neutral form.
  virtual Result<exchange::Array> read(std::uint64_t first, std::uint64_t count) = 0;

 protected:
  exchange::Field field_{};
};

// The common properties of the columns of a table.
struct ColumnContext {
  const Table& table;
  ValueSource& values;
  bool binary = false;  // strings that are not UTF-8 become bytes
  std::uint64_t most_offset = 0x7FFFFFFF;
  // Caches categories datasets.
  std::map<ObjectToken, std::shared_ptr<const exchange::Labels>> labels{};
  std::vector<std::string> losses{};  // properties without a neutral equivalent, by path
};

// The error names the type, or the obstacle.
Result<std::unique_ptr<ColumnReader>> column_reader(ColumnContext& context, const Column& column);
Result<std::unique_ptr<ColumnReader>> list_reader(ColumnContext& context, const ListColumn& list);

}  // namespace hepcheck::hep001
