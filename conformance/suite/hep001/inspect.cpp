#include "conformance/suite/hep001/inspect.h"

#include <format>
#include <utility>

#include "validator/descriptor.h"
#include "validator/examine_file.h"
#include "validator/isolate/report_stream.h"
#include "validator/isolate/worker.h"

namespace hepcheck::hep001::suite {

namespace {

// A hundred times the requirements of the suite's tables.
constexpr isolate::Bounds kInspectionBounds{.seconds = 30,
                                            .cpu_seconds = 15,
                                            .memory = std::uint64_t{2} << 30,
                                            .answer = std::uint64_t{64} << 20};

// The kind of a worker's message; its first character.
enum : char { kReport = 'R', kContent = 'C', kReadable = 'O' };

void look(const Bytes& file, const Specification& spec, std::uint64_t first_rows,
          const isolate::Send& send) {
  const auto tell = [&](char what, std::string_view message) {
    send(std::string(1, what).append(message));
  };
  isolate::ReportSender report([&](std::string_view message) { tell(kReport, message); });
  FileOptions options;
  options.on_subject = [&](const SubjectReport& subject) { report.subject(subject); };
  report.rest(examine_bytes(file, {.spec = &spec, .subject = {}, .options = options}));
  if (const Result<FileContent> content = read_content(file.descriptor(), file.name(), spec))
    tell(kContent, packed(*content));
  for (const std::string& name : readable_columns(file.descriptor(), file.name(), spec, first_rows))
    tell(kReadable, name);
}

}  // namespace

Inspection inspect(const std::string& path, const Specification& spec, std::uint64_t first_rows) {
  Inspection made;
  const Result<Descriptor> file = open_for_reading(path);
  if (!file) {
    made.report = {.path = path, .error = file.error()};
    return made;
  }
  prepare({});
  isolate::ReportReader reader;
  const auto receive = [&](std::string_view message) {
    const char what = message.empty() ? '\0' : message.front();
    if (what == kReport) reader.take(message.substr(1));
    if (what == kContent) made.content = unpacked(message.substr(1));
    if (what == kReadable) made.readable.emplace(message.substr(1));
  };
  const isolate::Outcome outcome = isolate::run_in_worker(
      file->get(),
      [&](const isolate::Send& send, WorkerPosition&) {
        look(Bytes::of_descriptor(file->get(), path), spec, first_rows, send);
      },
      receive, kInspectionBounds);
  made.report = std::move(reader).report(path);
  if (outcome.error) made.report.error = outcome.error;
  if (outcome.stop) {
    made.report.error = Error{path, "reading it was interrupted: " + outcome.stop->text()};
    made.content.reset();
  }
  return made;
}

std::optional<Image> edited_safely(const Image& image, std::span<const libhdf5::Edit> edits) {
  prepare({});
  std::optional<Image> made;
  const isolate::Outcome outcome = isolate::run_in_worker(
      -1,
      [&](const isolate::Send& send, WorkerPosition&) {
        const Result<libhdf5::Image> done = libhdf5::edited(std::as_bytes(std::span(image)), edits);
        if (done) send({reinterpret_cast<const char*>(done->data()), done->size()});
      },
      [&](std::string_view message) { made.emplace(message); }, kInspectionBounds);
  if (outcome.stop || outcome.error) made.reset();
  return made;
}

// ------------------------------------------------------------------------- content as bytes

// CBOR, because names in a file do not have to be text.

namespace {

using Binary = nlohmann::json;

template <class T>
void put(Binary& into, const char* name, const T& value) {
  into[name] = value;
}
template <class T>
void put(Binary& into, const char* name, const std::optional<T>& value) {
  if (value) into[name] = *value;
}
void put(Binary& into, const char* name, const Json& value) { into[name] = Binary(value); }
void put(Binary& into, const char* name, const std::vector<Json>& values) {
  into[name] = Binary::array();
  for (const Json& value : values) into[name].push_back(Binary(value));
}

template <class T>
void take(const Binary& from, const char* name, T& into) {
  from.at(name).get_to(into);
}
template <class T>
void take(const Binary& from, const char* name, std::optional<T>& into) {
  if (from.contains(name)) into = from.at(name).get<T>();
}
void take(const Binary& from, const char* name, Json& into) { into = Json(from.at(name)); }
void take(const Binary& from, const char* name, std::vector<Json>& into) {
  for (const Binary& value : from.at(name)) into.push_back(Json(value));
}

// Calls `visit` with the name and the address of each member.
template <class Categories, class Visit>
void each_member(Categories& of, Visit visit)
  requires std::is_same_v<std::remove_const_t<Categories>, CategoriesContent>
{
  visit("type", of.type);
  visit("labels", of.labels);
  visit("ordered", of.ordered);
}

template <class Index, class Visit>
void each_member(Index& of, Visit visit)
  requires std::is_same_v<std::remove_const_t<Index>, IndexContent>
{
  visit("kind", of.kind);
  visit("path", of.path);
  visit("description", of.description);
  visit("ordered", of.ordered);
  visit("values", of.values);
  visit("source_generation", of.source_generation);
  visit("source_nrows", of.source_nrows);
  visit("valid", of.valid);
}

template <class Member, class Visit>
void each_member(Member& of, Visit visit)
  requires std::is_same_v<std::remove_const_t<Member>, MemberContent>
{
  visit("name", of.name);
  visit("extent", of.extent);
  visit("needed", of.needed);
}

template <class Column, class Visit>
void each_member(Column& of, Visit visit)
  requires std::is_same_v<std::remove_const_t<Column>, ColumnContent>
{
  visit("name", of.name);
  visit("type", of.type);
  visit("units", of.units);
  visit("units_vocabulary", of.units_vocabulary);
  visit("description", of.description);
  visit("own_vocabulary", of.own_vocabulary);
  visit("values", of.values);
  visit("labels", of.labels);
  visit("fill", of.fill);
  visit("valid_min", of.valid_min);
  visit("valid_max", of.valid_max);
  visit("missing_known", of.missing_known);
  visit("unreadable", of.unreadable);
  visit("extent", of.extent);
  visit("chunk", of.chunk);
  visit("filters", of.filters);
  visit("boolean", of.boolean);
}

template <class Table, class Visit>
void each_member(Table& of, Visit visit)
  requires std::is_same_v<std::remove_const_t<Table>, TableContent>
{
  visit("path", of.path);
  visit("version", of.version);
  visit("rows", of.rows);
  visit("generation", of.generation);
  visit("title", of.title);
  visit("description", of.description);
  visit("fixed_order", of.fixed_order);
  visit("row_labels", of.row_labels);
}

template <class T>
Binary to_binary(const T& value) {
  Binary made = Binary::object();
  each_member(value, [&](const char* name, const auto& member) { put(made, name, member); });
  return made;
}

template <class T>
T from_binary(const Binary& from) {
  T made;
  each_member(made, [&](const char* name, auto& member) { take(from, name, member); });
  return made;
}

}  // namespace

std::string packed(const FileContent& content) {
  Binary tables = Binary::array();
  for (const TableContent& table : content) {
    Binary& made = tables.emplace_back(to_binary(table));
    Binary& columns = made["columns"] = Binary::array();
    for (const ColumnContent& column : table.columns) {
      Binary& one = columns.emplace_back(to_binary(column));
      if (column.categories) one["categories"] = to_binary(*column.categories);
      Binary& indexes = one["indexes"] = Binary::array();
      for (const IndexContent& index : column.indexes) indexes.push_back(to_binary(index));
      Binary& members = one["members"] = Binary::array();
      for (const MemberContent& member : column.members) members.push_back(to_binary(member));
    }
  }
  std::string bytes;
  Binary::to_cbor(tables, bytes);
  return bytes;
}

std::optional<FileContent> unpacked(std::string_view bytes) {
  try {
    FileContent content;
    for (const Binary& table : Binary::from_cbor(bytes)) {
      TableContent& made = content.emplace_back(from_binary<TableContent>(table));
      for (const Binary& column : table.at("columns")) {
        ColumnContent& one = made.columns.emplace_back(from_binary<ColumnContent>(column));
        if (column.contains("categories"))
          one.categories = from_binary<CategoriesContent>(column.at("categories"));
        for (const Binary& index : column.at("indexes"))
          one.indexes.push_back(from_binary<IndexContent>(index));
        for (const Binary& member : column.at("members"))
          one.members.push_back(from_binary<MemberContent>(member));
      }
    }
    return content;
  } catch (const Binary::exception&) {
    return std::nullopt;
  }
}

}  // namespace hepcheck::hep001::suite
