// Writes envelopes from what was read of them: the same bytes, if everything of them was
// understood.
#pragma once

#include <cstddef>
#include <vector>

#include "validator/formats/rntuple/metadata.h"
#include "validator/formats/rntuple/page_list.h"

namespace hepcheck::rntuple {

std::vector<std::byte> write_header(const Header& header, const Schema& schema);
std::vector<std::byte> write_footer(const Footer& footer, const Schema& schema);
// Of a page list without locators of other stores.
std::vector<std::byte> write_page_list(const PageList& list);
std::vector<std::byte> write_metadata(const Metadata& metadata);

}  // namespace hepcheck::rntuple
