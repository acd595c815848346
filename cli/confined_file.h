// Files that a settings file names. An untrusted person may have written the settings; therefore
// such files must be inside their directory, reached through no link, and not hidden, because a
// directory such as .git belongs to the user.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "validator/descriptor.h"

namespace hepcheck::cli {

// Whether a path names such a file: relative, without empty parts or parts that begin with a dot.
bool is_confined(std::string_view path);

struct ConfinedFile {
  std::string folder{};  // empty: the working directory
  std::string path{};    // is_confined

  std::string whole() const;
};

// Opens a regular file with O_RDONLY or O_RDWR | O_CREAT. Without O_CREAT, a missing file gives an
// empty descriptor. Links are refused, including hard links.
Result<Descriptor> open_confined(const ConfinedFile& file, int flags);
Result<std::string> read_confined(const ConfinedFile& file);

// Writes to an open file and closes it; false on failure.
bool write_through(Descriptor file, const std::function<void(std::ostream&)>& write);

}  // namespace hepcheck::cli
