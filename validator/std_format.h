#pragma once

// Included before everything else, by the build: the function behind std::format and std::print is
// a template that every file would compile anew, for a second each. It is compiled in
// std_format.cpp. Its name is libstdc++'s own and has other parameters in other releases; with
// those, nothing changes but the time.
#include <format>

#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE == 14
#define HEPCHECK_STD_FORMAT_ONCE
namespace std::__format {
extern template _Sink_iter<char> __do_vformat_to(_Sink_iter<char>, string_view,
                                                 const basic_format_args<format_context>&,
                                                 const locale*);
}  // namespace std::__format
#endif
