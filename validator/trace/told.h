// What a log says of its files, from the process that reads the log to one that asks what crashes
// would have left: beginnings, changes and barriers, and nothing else of it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "validator/trace/log.h"
#include "validator/trace/replay.h"

namespace hepcheck::trace {

struct Told {
  std::string name{};
  std::string missing{};  // why there is no story; empty if there is one
  Story story{};
  // What its changes are.
  std::deque<Event> events{};
  std::deque<std::string> bytes{};
};

// Sends all files of a log, in messages of no more than a record each.
void tell(const Log& log, const std::function<void(std::string_view message)>& send);

// The other end. The messages may come from a process that a hostile log has taken over.
class Listener {
 public:
  explicit Listener(const LogLimits& limits = {}) : limits_(limits) {}

  void take(std::string_view message);
  // None if something came that tell() does not send, or not all came.
  std::optional<std::deque<Told>> take_all() &&;

 private:
  bool take_part(std::string_view message);
  bool change(Event event, std::string bytes);

  LogLimits limits_;
  std::deque<Told> told_{};
  std::uint64_t size_ = 0;  // of the last of them, at this point
  Growth growth_{};
  bool good_ = true, ended_ = false;
};

}  // namespace hepcheck::trace
