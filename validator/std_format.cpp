#include "validator/std_format.h"

#ifdef HEPCHECK_STD_FORMAT_ONCE
namespace std::__format {
template _Sink_iter<char> __do_vformat_to(_Sink_iter<char>, string_view,
                                          const basic_format_args<format_context>&, const locale*);
}  // namespace std::__format
#endif
