// The rows of a list column as values in the notation: arrays, null for a null list.
#pragma once

#include "conformance/suite/hep001/content.h"

namespace hepcheck::hep001::suite {

ColumnContent list_content(const Table& table, const ListColumn& list, ValueSource& values);

}  // namespace hepcheck::hep001::suite
