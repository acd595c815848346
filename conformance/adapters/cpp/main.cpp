// Implements the suite protocol for a reader and writer of HEP001 tables on the HDF5 C library.
// Made to be copied: it depends on HDF5 >= 1.12 and nlohmann-json, and on no part of hepcheck.
#include <iostream>
#include <string>

#include "operations.h"

namespace adapter {

namespace {

constexpr const char* kOlder = "hep001-2026-06-16";

Json hello(bool newer) {
  Json datatypes{"integer",     "other-integer", "float",  "other-float", "string",
                 "vlen-string", "enum",          "opaque", "bitfield",    "time",
                 "compound",    "array",         "vlen",   "reference",   "boolean"};
  if (newer) datatypes.insert(datatypes.end(), {"list", "text"});
  return {{"protocol", 1},
          {"name", "hepcheck C++ adapter"},
          {"language", "C++"},
          {"capabilities",
           {{"operations",
             {"describe", "read", "query", "write", "append", "truncate", "update", "add-index",
              "drop-index"}},
            {"version", "1.0"},
            {"datatypes", datatypes},
            {"indexes", {"CHUNK_MINMAX"}},
            {"modes", {"lenient", "strict", "none", "use", "verify"}},
            {"features",
             {"durable", "chunks", "filters", "preallocation", "categories", "row-labels", "units",
              "descriptions", "reclaim", "provenance"}}}}};
}

// `newer`: whether tables are of a revision with list columns and validity tokens, as stated in
// hello.
Json answer(const Json& request, bool& newer, std::vector<Diagnostic>& diagnostics) {
  const std::string op = request.at("op");
  if (op == "hello") {
    newer = request.value("spec", kOlder) != kOlder;
    return hello(newer);
  }
  const std::string path = request.at("file");
  if (op == "write") return write(path, request.at("table"), newer), Json::object();
  const bool reads = op == "describe" || op == "read" || op == "query";
  const Id file(H5Fopen(path.c_str(), reads ? H5F_ACC_RDONLY : H5F_ACC_RDWR, H5P_DEFAULT));
  if (op == "describe") return describe(file, request, newer, diagnostics);
  const Table table = open_table(file, request.at("table"), newer);
  if (op == "read") return read(table, request);
  if (op == "query") return query(table, request, diagnostics);
  if (op == "append")
    append(file, table, request);
  else if (op == "truncate")
    truncate(file, table, request);
  else if (op == "update")
    update(file, table, request);
  else if (op == "add-index")
    add_index(table, request.at("column"), request.at("kind"));
  else if (op == "drop-index")
    drop_index(table, request.at("column"), request.at("kind"));
  else
    throw Unsupported("no operation " + op);
  return Json::object();
}

Json reply_to(const Json& request, bool& newer) {
  Json reply{{"id", request.at("id")}};
  const auto error = [&](const char* kind, const char* message) {
    reply["error"] = {{"kind", kind}, {"message", message}};
  };
  std::vector<Diagnostic> diagnostics;
  try {
    reply["ok"] = answer(request, newer, diagnostics);
  } catch (const Refused& refusal) {
    error("refused", refusal.what());
  } catch (const Unsupported& limit) {
    error("unsupported", limit.what());
  } catch (const std::exception& failure) {
    error("failed", failure.what());
  }
  for (const Diagnostic& each : diagnostics)
    reply["diagnostics"].push_back({{"path", each.path}, {"message", each.message}});
  return reply;
}

}  // namespace

}  // namespace adapter

int main() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  bool newer = false;
  for (std::string line; std::getline(std::cin, line);)
    std::cout << adapter::reply_to(adapter::Json::parse(line), newer).dump() << std::endl;
}
