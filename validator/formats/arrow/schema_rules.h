// The requirements on a schema, its fields, and custom metadata.
#pragma once

#include <vector>

#include "validator/formats/arrow/notes.h"
#include "validator/formats/arrow/schema.h"

namespace hepcheck::arrow {

// Judges it and determines the layout of its fields.
void judge_schema(Schema& schema, const Path& path, Notes& notes);

// Determines the same without reporting.
void settle_schema(Schema& schema, Notes& notes);

// The key by which Arrow 0.17 marked compressed bodies.
constexpr std::string_view kExperimentalCompression = "ARROW:experimental_compression";

// For a schema, a field, a message or a footer whose flatbuffer begins at `start` of the file.
// `apart_from`: a key that another clause covers.
void judge_metadata(const std::vector<KeyValue>& pairs, const Path& path, std::uint64_t start,
                    Notes& notes, std::string_view apart_from = {});

void judge_extension(const Field& field, const Place& place, Notes& notes);
// Of a field whose children have been judged: the storage and the metadata of a canonical extension
// type.
void judge_canonical(Field& field, const Place& place, Notes& notes);
const KeyValue* find_pair(const Field& field, std::string_view key);
constexpr std::string_view kExtensionName = "ARROW:extension:name",
                           kExtensionMetadata = "ARROW:extension:metadata";

}  // namespace hepcheck::arrow
