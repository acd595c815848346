// The functions of these names take precedence over those of the library, which they call.
#include "validator/formats/hep001/libhdf5/testing/failing_calls.h"

#include <hdf5.h>

#include <cstddef>
#include <type_traits>

#include "validator/testing/next_function.h"

namespace hepcheck::hep001::libhdf5::testing {

Calls calls;

namespace {

bool fails(const char* function) {
  if (!calls.on) return false;
  calls.made.emplace_back(function);
  if (calls.made.size() != calls.failing + 1) return false;
  H5Eclear2(H5E_DEFAULT);
  H5Epush2(H5E_DEFAULT, "", function, 0, H5E_ERR_CLS, H5E_INTERNAL, H5E_SYSTEM, "%s", kFailedCall);
  return true;
}

// What a function of the library returns if it fails.
template <class Result>
Result failure_of() {
  if constexpr (std::is_pointer_v<Result>)
    return nullptr;
  else
    return static_cast<Result>(-1);
}

}  // namespace

#define HEPCHECK_CALL(result, name, parameters, arguments)                                  \
  extern "C" result name parameters {                                                       \
    static auto* const library = hepcheck::testing::next_function<decltype(::name)>(#name); \
    if (fails(#name)) return failure_of<result>();                                          \
    return library arguments;                                                               \
  }

// clang-format off
HEPCHECK_CALL(hid_t, H5Acreate2, (hid_t a, const char* b, hid_t c, hid_t d, hid_t e, hid_t f), (a, b, c, d, e, f))
HEPCHECK_CALL(herr_t, H5Adelete, (hid_t a, const char* b), (a, b))
HEPCHECK_CALL(htri_t, H5Aexists, (hid_t a, const char* b), (a, b))
HEPCHECK_CALL(hid_t, H5Aget_space, (hid_t a), (a))
HEPCHECK_CALL(hid_t, H5Aget_type, (hid_t a), (a))
HEPCHECK_CALL(herr_t, H5Aiterate2, (hid_t a, H5_index_t b, H5_iter_order_t c, hsize_t* d, H5A_operator2_t e, void* f), (a, b, c, d, e, f))
HEPCHECK_CALL(hid_t, H5Aopen, (hid_t a, const char* b, hid_t c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Aread, (hid_t a, hid_t b, void* c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Arename, (hid_t a, const char* b, const char* c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Awrite, (hid_t a, hid_t b, const void* c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Dchunk_iter, (hid_t a, hid_t b, H5D_chunk_iter_op_t c, void* d), (a, b, c, d))
HEPCHECK_CALL(hid_t, H5Dcreate_anon, (hid_t a, hid_t b, hid_t c, hid_t d, hid_t e), (a, b, c, d, e))
HEPCHECK_CALL(herr_t, H5Dget_chunk_info, (hid_t a, hid_t b, hsize_t c, hsize_t* d, unsigned* e, haddr_t* f, hsize_t* g), (a, b, c, d, e, f, g))
HEPCHECK_CALL(hid_t, H5Dget_create_plist, (hid_t a), (a))
HEPCHECK_CALL(herr_t, H5Dget_num_chunks, (hid_t a, hid_t b, hsize_t* c), (a, b, c))
HEPCHECK_CALL(haddr_t, H5Dget_offset, (hid_t a), (a))
HEPCHECK_CALL(hid_t, H5Dget_space, (hid_t a), (a))
HEPCHECK_CALL(hid_t, H5Dget_type, (hid_t a), (a))
HEPCHECK_CALL(herr_t, H5Dread, (hid_t a, hid_t b, hid_t c, hid_t d, hid_t e, void* f), (a, b, c, d, e, f))
HEPCHECK_CALL(herr_t, H5Dset_extent, (hid_t a, const hsize_t b[]), (a, b))
HEPCHECK_CALL(herr_t, H5Dwrite, (hid_t a, hid_t b, hid_t c, hid_t d, hid_t e, const void* f), (a, b, c, d, e, f))
HEPCHECK_CALL(herr_t, H5Dwrite_chunk, (hid_t a, hid_t b, uint32_t c, const hsize_t* d, size_t e, const void* f), (a, b, c, d, e, f))
HEPCHECK_CALL(hid_t, H5Fcreate, (const char* a, unsigned b, hid_t c, hid_t d), (a, b, c, d))
HEPCHECK_CALL(herr_t, H5Fflush, (hid_t a, H5F_scope_t b), (a, b))
HEPCHECK_CALL(ssize_t, H5Fget_file_image, (hid_t a, void* b, size_t c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Fget_filesize, (hid_t a, hsize_t* b), (a, b))
HEPCHECK_CALL(herr_t, H5Fget_mdc_config, (hid_t a, H5AC_cache_config_t* b), (a, b))
HEPCHECK_CALL(hid_t, H5Fopen, (const char* a, unsigned b, hid_t c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Fset_mdc_config, (hid_t a, const H5AC_cache_config_t* b), (a, b))
HEPCHECK_CALL(hid_t, H5Gcreate2, (hid_t a, const char* b, hid_t c, hid_t d, hid_t e), (a, b, c, d, e))
HEPCHECK_CALL(hid_t, H5Gcreate_anon, (hid_t a, hid_t b, hid_t c), (a, b, c))
HEPCHECK_CALL(hid_t, H5Gopen2, (hid_t a, const char* b, hid_t c), (a, b, c))
HEPCHECK_CALL(ssize_t, H5Iget_name, (hid_t a, char* b, size_t c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Lcopy, (hid_t a, const char* b, hid_t c, const char* d, hid_t e, hid_t f), (a, b, c, d, e, f))
HEPCHECK_CALL(herr_t, H5Ldelete, (hid_t a, const char* b, hid_t c), (a, b, c))
HEPCHECK_CALL(htri_t, H5Lexists, (hid_t a, const char* b, hid_t c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Lget_info2, (hid_t a, const char* b, H5L_info2_t* c, hid_t d), (a, b, c, d))
HEPCHECK_CALL(herr_t, H5Lget_val, (hid_t a, const char* b, void* c, size_t d, hid_t e), (a, b, c, d, e))
HEPCHECK_CALL(herr_t, H5Literate2, (hid_t a, H5_index_t b, H5_iter_order_t c, hsize_t* d, H5L_iterate2_t e, void* f), (a, b, c, d, e, f))
HEPCHECK_CALL(herr_t, H5Ocopy, (hid_t a, const char* b, hid_t c, const char* d, hid_t e, hid_t f), (a, b, c, d, e, f))
HEPCHECK_CALL(herr_t, H5Oget_info3, (hid_t a, H5O_info2_t* b, unsigned c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Oget_info_by_name3, (hid_t a, const char* b, H5O_info2_t* c, unsigned d, hid_t e), (a, b, c, d, e))
HEPCHECK_CALL(herr_t, H5Olink, (hid_t a, hid_t b, const char* c, hid_t d, hid_t e), (a, b, c, d, e))
HEPCHECK_CALL(hid_t, H5Oopen, (hid_t a, const char* b, hid_t c), (a, b, c))
HEPCHECK_CALL(hid_t, H5Oopen_by_token, (hid_t a, H5O_token_t b), (a, b))
HEPCHECK_CALL(hid_t, H5Pcopy, (hid_t a), (a))
HEPCHECK_CALL(hid_t, H5Pcreate, (hid_t a), (a))
HEPCHECK_CALL(herr_t, H5Pfill_value_defined, (hid_t a, H5D_fill_value_t* b), (a, b))
HEPCHECK_CALL(int, H5Pget_chunk, (hid_t a, int b, hsize_t c[]), (a, b, c))
HEPCHECK_CALL(int, H5Pget_external_count, (hid_t a), (a))
HEPCHECK_CALL(herr_t, H5Pget_fill_value, (hid_t a, hid_t b, void* c), (a, b, c))
HEPCHECK_CALL(H5Z_filter_t, H5Pget_filter2, (hid_t a, unsigned b, unsigned* c, size_t* d, unsigned e[], size_t f, char g[], unsigned* h), (a, b, c, d, e, f, g, h))
HEPCHECK_CALL(H5D_layout_t, H5Pget_layout, (hid_t a), (a))
HEPCHECK_CALL(int, H5Pget_nfilters, (hid_t a), (a))
HEPCHECK_CALL(hid_t, H5Pget_virtual_vspace, (hid_t a, size_t b), (a, b))
HEPCHECK_CALL(herr_t, H5Pset_char_encoding, (hid_t a, H5T_cset_t b), (a, b))
HEPCHECK_CALL(herr_t, H5Pset_chunk, (hid_t a, int b, const hsize_t c[]), (a, b, c))
HEPCHECK_CALL(herr_t, H5Pset_file_image, (hid_t a, void* b, size_t c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Pset_fill_value, (hid_t a, hid_t b, const void* c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Pset_filter, (hid_t a, H5Z_filter_t b, unsigned c, size_t d, const unsigned e[]), (a, b, c, d, e))
HEPCHECK_CALL(herr_t, H5Pset_obj_track_times, (hid_t a, bool b), (a, b))
HEPCHECK_CALL(herr_t, H5Rcreate_object, (hid_t a, const char* b, hid_t c, H5R_ref_t* d), (a, b, c, d))
HEPCHECK_CALL(hid_t, H5Rdereference2, (hid_t a, hid_t b, H5R_type_t c, const void* d), (a, b, c, d))
HEPCHECK_CALL(ssize_t, H5Rget_file_name, (const H5R_ref_t* a, char* b, size_t c), (a, b, c))
HEPCHECK_CALL(hid_t, H5Ropen_object, (H5R_ref_t* a, hid_t b, hid_t c), (a, b, c))
HEPCHECK_CALL(hid_t, H5Screate, (H5S_class_t a), (a))
HEPCHECK_CALL(hid_t, H5Screate_simple, (int a, const hsize_t b[], const hsize_t c[]), (a, b, c))
HEPCHECK_CALL(int, H5Sget_simple_extent_dims, (hid_t a, hsize_t b[], hsize_t c[]), (a, b, c))
HEPCHECK_CALL(herr_t, H5Sselect_hyperslab, (hid_t a, H5S_seloper_t b, const hsize_t c[], const hsize_t d[], const hsize_t e[], const hsize_t f[]), (a, b, c, d, e, f))
HEPCHECK_CALL(hid_t, H5Tcopy, (hid_t a), (a))
HEPCHECK_CALL(hid_t, H5Tcreate, (H5T_class_t a, size_t b), (a, b))
HEPCHECK_CALL(htri_t, H5Tdetect_class, (hid_t a, H5T_class_t b), (a, b))
HEPCHECK_CALL(hid_t, H5Tenum_create, (hid_t a), (a))
HEPCHECK_CALL(herr_t, H5Tenum_insert, (hid_t a, const char* b, const void* c), (a, b, c))
HEPCHECK_CALL(htri_t, H5Tequal, (hid_t a, hid_t b), (a, b))
HEPCHECK_CALL(int, H5Tget_array_dims2, (hid_t a, hsize_t b[]), (a, b))
HEPCHECK_CALL(char*, H5Tget_member_name, (hid_t a, unsigned b), (a, b))
HEPCHECK_CALL(hid_t, H5Tget_member_type, (hid_t a, unsigned b), (a, b))
HEPCHECK_CALL(herr_t, H5Tget_member_value, (hid_t a, unsigned b, void* c), (a, b, c))
HEPCHECK_CALL(hid_t, H5Tget_native_type, (hid_t a, H5T_direction_t b), (a, b))
HEPCHECK_CALL(int, H5Tget_nmembers, (hid_t a), (a))
HEPCHECK_CALL(hid_t, H5Tget_super, (hid_t a), (a))
HEPCHECK_CALL(char*, H5Tget_tag, (hid_t a), (a))
HEPCHECK_CALL(herr_t, H5Tinsert, (hid_t a, const char* b, size_t c, hid_t d), (a, b, c, d))
HEPCHECK_CALL(htri_t, H5Tis_variable_str, (hid_t a), (a))
HEPCHECK_CALL(herr_t, H5Tset_cset, (hid_t a, H5T_cset_t b), (a, b))
HEPCHECK_CALL(herr_t, H5Tset_fields, (hid_t a, size_t b, size_t c, size_t d, size_t e, size_t f), (a, b, c, d, e, f))
HEPCHECK_CALL(herr_t, H5Tset_order, (hid_t a, H5T_order_t b), (a, b))
HEPCHECK_CALL(herr_t, H5Tset_size, (hid_t a, size_t b), (a, b))
HEPCHECK_CALL(herr_t, H5Tset_strpad, (hid_t a, H5T_str_t b), (a, b))
HEPCHECK_CALL(herr_t, H5Pset_libver_bounds, (hid_t a, H5F_libver_t b, H5F_libver_t c), (a, b, c))
HEPCHECK_CALL(herr_t, H5Pset_copy_object, (hid_t a, unsigned b), (a, b))
HEPCHECK_CALL(herr_t, H5Pset_meta_block_size, (hid_t a, hsize_t b), (a, b))
// clang-format on

// Closed in any case: what fails is what the library writes at the end.
extern "C" herr_t H5Fclose(hid_t file) {
  const herr_t closed = hepcheck::testing::next_function<decltype(::H5Fclose)>("H5Fclose")(file);
  return fails("H5Fclose") ? -1 : closed;
}

}  // namespace hepcheck::hep001::libhdf5::testing
