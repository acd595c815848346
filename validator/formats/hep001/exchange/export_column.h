// Columns of a table as neutral ones, some rows at a time.
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
  // Bytes that a row takes in memory, about.
  virtual std::uint64_t row_bytes() const = 0;
  // Rows [first, first + count). An error says which row has no neutral form.
  virtual Result<exchange::Array> read(std::uint64_t first, std::uint64_t count) = 0;

 protected:
  exchange::Field field_{};
};

// What the columns of a table have in common.
struct ColumnContext {
  const Table& table;
  ValueSource& values;
  bool binary = false;  // strings that are not UTF-8 become bytes
  std::uint64_t most_offset = 0x7FFFFFFF;
  // Of categories datasets that have been read.
  std::map<ObjectToken, std::shared_ptr<const exchange::Labels>> labels{};
  std::vector<std::string> losses{};  // what has no place in a neutral table, by path
};

// The error names the type, or what stands in the way.
Result<std::unique_ptr<ColumnReader>> column_reader(ColumnContext& context, const Column& column);
Result<std::unique_ptr<ColumnReader>> list_reader(ColumnContext& context, const ListColumn& list);

}  // namespace hepcheck::hep001
