#include "validator/formats/hep001/exchange/export_table.h"

#include <algorithm>
#include <format>

#include "validator/formats/hep001/exchange/describe.h"
#include "validator/formats/hep001/exchange/export_column.h"
#include "validator/formats/hep001/exchange/layout.h"
#include "validator/formats/hep001/judge.h"
#include "validator/formats/hep001/reader/open_tables.h"
#include "validator/formats/hep001/storage/limited_values.h"
#include "validator/machine.h"
#include "validator/parallel.h"

namespace hepcheck::hep001 {

namespace {

constexpr std::uint64_t kBatchBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kMostBatchRows = std::uint64_t{1} << 20;

std::unexpected<ExchangeRefusal> forbidden(std::string where, std::string why) {
  return std::unexpected(ExchangeRefusal{true, {std::move(where), std::move(why)}});
}

Result<Table> find_table(TableFile& file, const TablePlace& place) {
  const auto ready = [&](Table&& table) {
    assign_roles(table,
                 place.spec ? revision_of(*place.spec) : *revision_by_signs(table.group).revision);
    return std::move(table);
  };
  if (place.group) return read_table_at(file, *place.group).transform(ready);
  std::vector<Table> tables;
  for_each_table(file, {.table = [&](Table&& table) { tables.push_back(std::move(table)); },
                        .unreadable = [](const Error&) {}});
  if (tables.size() == 1) return ready(std::move(tables.front()));
  if (tables.empty()) return failure(place.file, "no table group");
  return failure(place.file, std::format("{} tables; name one as FILE:{}", tables.size(),
                                         tables.front().path()));
}

std::optional<ExchangeRefusal> objection(const SubjectReport& report) {
  if (report.verdict == SubjectVerdict::kPass) return std::nullopt;
  if (report.verdict != SubjectVerdict::kFail)
    return ExchangeRefusal{false, {report.path, "not fully checked: " + report.reason}};
  for (const ClauseResult& result : report.clauses) {
    if (result.verdict != Verdict::kFail || result.severity != Severity::kError) continue;
    const Finding& finding = result.findings.front();
    return ExchangeRefusal{
        true,
        {report.path,
         std::format("the table is not conformant, see hepcheck validate; {} ({}): {}{}: {}; "
                     "expected {}",
                     result.clause->id, result.clause->section, finding.object,
                     finding.attribute.empty() ? "" : "@" + finding.attribute, finding.observed,
                     finding.expected)}};
  }
  return std::nullopt;
}

class OpenTable : public TableSource {
 public:
  OpenTable(OpenedTables file, Table table, const ExportOptions& options)
      : file_(std::move(file)), table_(std::move(table)),
        values_(file_.file->values(), options.file.limits, file_.file->bytes()),
        jobs_(options.file.examine.jobs > 0 ? options.file.examine.jobs : cores()) {}

  std::optional<ExchangeRefusal> examine(const ExportOptions& options) {
    ExamineOptions only = options.file.examine;
    only.describe_columns = only.describe_answers = false;
    // If the data was not requested, it does not matter that it was not examined.
    only.allow_unchecked |= only.depth == Depth::kStructure;
    return objection(
        hep001::examine(table_, values_, *find_specification(table_.revision->spec), only));
  }

  std::expected<void, ExchangeRefusal> open_columns(const ExportOptions& options) {
    for (const std::string& name : options.skip)
      if (!table_.column_by_name.contains(name) && !table_.list_by_name.contains(name))
        return forbidden(table_.path(), "no column \"" + name + "\" to skip");
    ColumnContext context{.table = table_,
                          .values = values_,
                          .binary = options.binary,
                          .most_offset = options.most_offset};
    for (const std::string& name : names()) {
      if (options.skip.contains(name)) continue;
      auto added = add_column(context, name);
      if (added) continue;
      if (!options.partial) return added;
      refused_.push_back(std::format("{}: {}", name, added.error().error.cause));
    }
    losses_ = std::move(context.losses);
    schema_.metadata = describe_table(table_, options.skip, losses_);
    rows_ = table_.nrows.value_or(0);
    std::uint64_t row_bytes = 1;
    for (const auto& reader : readers_) row_bytes += reader->row_bytes();
    step_ = options.batch_rows > 0
                ? options.batch_rows
                : std::clamp<std::uint64_t>(kBatchBytes / row_bytes, 1, kMostBatchRows);
    // Whole chunks are decoded once.
    for (const Column& column : table_.columns)
      if (const std::uint64_t chunk = chunk_rows(*column.data);
          options.batch_rows == 0 && !options.skip.contains(column.name()) &&
          !column.data->storage.chunk.empty() && chunk > 0) {
        step_ = std::max(chunk, step_ / chunk * chunk);
        break;
      }
    return {};
  }

  const exchange::Schema& schema() const override { return schema_; }
  const std::string& path() const override { return table_.path(); }
  const std::vector<std::string>& losses() const override { return losses_; }
  exchange::TableLayout layout() const override {
    exchange::TableLayout made = layout_of(table_, schema_, losses_);
    made.refused.insert(made.refused.begin(), refused_.begin(), refused_.end());
    return made;
  }

  Result<std::optional<exchange::Batch>> next() override {
    if (at_ == rows_) return std::optional<exchange::Batch>{};
    exchange::Batch batch{.rows = std::min(step_, rows_ - at_)};
    std::vector<Result<exchange::Array>> columns(readers_.size());
    parallel_for(readers_.size(), jobs_,
                 [&](std::uint64_t i) { columns[i] = readers_[i]->read(at_, batch.rows); });
    for (Result<exchange::Array>& column : columns) {
      if (!column) return std::unexpected(column.error());
      batch.columns.push_back(std::move(*column));
    }
    at_ += batch.rows;
    return batch;
  }

 private:
  // In the order of presentation (7.4).
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Column& column : table_.columns) all.push_back(column.name());
    for (const ListColumn& list : table_.lists) all.push_back(list.name);
    std::ranges::sort(all);
    std::vector<std::string> ordered;
    if (const Attribute* order = table_.attribute("column-order"))
      for (std::string& name : string_elements(*order))
        if (std::ranges::binary_search(all, name) && !std::ranges::contains(ordered, name))
          ordered.push_back(std::move(name));
    for (std::string& name : all)
      if (!std::ranges::contains(ordered, name)) ordered.push_back(std::move(name));
    return ordered;
  }

  std::expected<void, ExchangeRefusal> add_column(ColumnContext& context, const std::string& name) {
    const auto place = std::format("{}: column \"{}\"", table_.path(), name);
    const auto list = table_.list_by_name.find(name);
    auto reader = list != table_.list_by_name.end()
                      ? list_reader(context, table_.lists[list->second])
                      : column_reader(context, table_.columns[table_.column_by_name.at(name)]);
    if (!reader) return forbidden(place, reader.error().text());
    schema_.fields.push_back((*reader)->field());
    readers_.push_back(std::move(*reader));
    return {};
  }

  OpenedTables file_;
  Table table_;
  LimitedValues values_;
  unsigned jobs_;
  exchange::Schema schema_{};
  std::vector<std::string> losses_{}, refused_{};
  std::vector<std::unique_ptr<ColumnReader>> readers_{};
  std::uint64_t rows_ = 0, at_ = 0, step_ = 1;
};

}  // namespace

std::expected<std::unique_ptr<TableSource>, ExchangeRefusal> open_table(
    const TablePlace& place, const ExportOptions& options) {
  prepare_readers(options.file);
  Result<OpenedTables> file = open_tables(place.file, options.file);
  if (!file) return std::unexpected(ExchangeRefusal{false, file.error()});
  Result<Table> table = find_table(*file->file, place);
  if (!table) return std::unexpected(ExchangeRefusal{false, table.error()});
  auto opened = std::make_unique<OpenTable>(std::move(*file), std::move(*table), options);
  if (auto refusal = opened->examine(options)) return std::unexpected(std::move(*refusal));
  if (auto columns = opened->open_columns(options); !columns)
    return std::unexpected(std::move(columns.error()));
  return opened;
}

}  // namespace hepcheck::hep001
