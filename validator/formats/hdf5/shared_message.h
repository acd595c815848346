// Messages that are stored in the header of another object: mainly committed datatypes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

#include "validator/formats/hdf5/container.h"
#include "validator/formats/hdf5/datatype.h"
#include "validator/formats/hdf5/object_header.h"
#include "validator/formats/hdf5/region.h"

namespace hepcheck::hdf5 {

class SharedMessages {
 public:
  SharedMessages(Container& file, Headers& headers) : file_(file), headers_(headers) {}

  // Passes the data of a message to `use`, wherever it is stored. `data`: the contents of the
  // message itself, which refer to the data if the message is `shared`. False if there is none, or
  // `use` returns false.
  bool with(const Region& data, MessageType type, bool shared,
            const std::function<bool(const Region&)>& use);
  // The same for a datatype; a committed datatype is read and judged once.
  std::optional<Datatype> datatype(const Region& data, bool shared);
  // That of a committed datatype at this address.
  std::optional<Datatype> committed(std::uint64_t address, const Region& message);
  // Some message was stored elsewhere.
  bool any() const { return any_; }

 private:
  std::optional<ObjectHeader> header_of(const Region& data, MessageType type,
                                        std::uint64_t& address);

  Container& file_;
  Headers& headers_;
  std::unordered_map<std::uint64_t, std::optional<Datatype>> types_{};  // by header address
  bool any_ = false;
};

}  // namespace hepcheck::hdf5
