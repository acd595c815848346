// The operations of the protocol, one function each.
#pragma once

#include "table.h"

namespace adapter {

Json describe(hid_t file, const Json& request, bool newer, std::vector<Diagnostic>& diagnostics);
Json read(const Table& table, const Json& request);
Json query(const Table& table, const Json& request, std::vector<Diagnostic>& diagnostics);

void write(const std::string& path, const Json& table, bool newer);
void append(hid_t file, const Table& table, const Json& request);
void truncate(hid_t file, const Table& table, const Json& request);
void update(hid_t file, const Table& table, const Json& request);
void add_index(const Table& table, const std::string& column, const std::string& kind);
void drop_index(const Table& table, const std::string& column, const std::string& kind);

}  // namespace adapter
