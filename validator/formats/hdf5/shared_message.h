// Messages that are stored in the header of another object, mainly committed datatypes, or in the
// heap of shared messages.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/equal_messages.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hdf5/region.h"
#include "validator/formats/hdf5/shared_table.h"

namespace hepcheck::hdf5 {

class SharedMessages {
 public:
  SharedMessages(Container& file, Headers& headers)
      : file_(file), headers_(headers), table_(file) {}

  // Passes the data of a message to `use`, wherever it is stored. `data`: the contents of the
  // message itself, which refer to the data if the message is `shared`. False if there is none, or
  // `use` returns false.
  bool with(const Region& data, MessageType type, bool shared,
            const std::function<bool(const Region&)>& use);
  // The same for a datatype; a committed datatype is read and judged once.
  std::optional<Datatype> datatype(const Region& data, bool shared);
  // That of a committed datatype at this address.
  std::optional<Datatype> committed(std::uint64_t address, const Region& message);
  // An attribute in the heap of shared messages, by its id.
  bool attribute(const Region& id, const std::function<bool(const Region&)>& use);
  SharedTable& table() { return table_; }
  // Some message was stored elsewhere.
  bool any() const { return any_; }
  // A shared message named the header at this address, which has no such message.
  bool missed_in(std::uint64_t address) const { return missed_in_.contains(address); }

 private:
  std::optional<ObjectHeader> header_of(const Region& data, MessageType type,
                                        std::uint64_t& address);
  bool in_heap(const Region& id, MessageType type, const std::function<bool(const Region&)>& use);
  bool plain(const Region& message, MessageType type);
  std::optional<Datatype> read_type(const Region& message);

  Container& file_;
  Headers& headers_;
  SharedTable table_;
  std::unordered_map<std::uint64_t, std::optional<Datatype>> types_{};  // by header address
  std::unordered_set<std::uint64_t> missed_in_{};                       // addresses of headers
  EqualMessages<Datatype> equal_types_{};                               // for a reader of values
  bool any_ = false;
};

}  // namespace hepcheck::hdf5
