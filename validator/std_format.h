#pragma once

// Included before everything else by the build: the function behind std::format and std::print is a
// template that every file would otherwise instantiate, for a second each. It is instantiated in
// std_format.cpp. Its name is specific to libstdc++, and its parameters differ between releases; in
// other releases, only the compile time changes.
#include <format>

#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE == 14
#define HEPCHECK_STD_FORMAT_ONCE
namespace std::__format {
extern template _Sink_iter<char> __do_vformat_to(_Sink_iter<char>, string_view,
                                                 const basic_format_args<format_context>&,
                                                 const locale*);
}  // namespace std::__format
#endif
