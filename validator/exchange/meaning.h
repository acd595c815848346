// The units that numbers with a logical type count.
#pragma once

#include <string>
#include <string_view>

namespace hepcheck::exchange {

// "days since 1970-01-01" of "date[day]", "ns since 1970-01-01T00:00:00Z" of "timestamp[ns, UTC]",
// "ms" of "duration[ms]"; empty if there are no such units.
inline std::string units_of(std::string_view meaning) {
  const std::size_t open = meaning.find('[');
  if (open == std::string_view::npos) return {};
  const std::string_view name = meaning.substr(0, open);
  const std::string unit(meaning.substr(open + 1, meaning.find_first_of(",]", open) - open - 1));
  if (name == "date" && unit == "day") return "days since 1970-01-01";
  if (name == "date" || name == "timestamp") return unit + " since 1970-01-01T00:00:00Z";
  if (name == "time" || name == "duration") return unit;
  if (name == "interval" && unit == "year-month") return "months";
  return {};
}

}  // namespace hepcheck::exchange
