// Result<T> and Error: how failures to read are passed on.
//
// A file that violates a clause gives a Finding (finding.h). An Error is different: a part of the
// file, or the file itself, could not be read.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace hepcheck {

// Why something could not be read: the operation, then the cause.
struct Error {
  std::string context;
  std::string cause;

  std::string text() const {
    return cause.empty() ? context : context.empty() ? cause : context + ": " + cause;
  }
  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> failure(std::string context, std::string cause = {}) {
  return std::unexpected(Error{std::move(context), std::move(cause)});
}

}  // namespace hepcheck
