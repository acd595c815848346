# hepcheck_hdf5_c: the HDF5 C library. It is used by this build and by the installed package, which
# finds the copy of each machine.
if(NOT TARGET hepcheck_hdf5_c)
  add_library(hepcheck_hdf5_c INTERFACE IMPORTED)
  target_include_directories(hepcheck_hdf5_c SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
  target_link_libraries(hepcheck_hdf5_c INTERFACE ${HDF5_C_LIBRARIES})
  target_compile_definitions(hepcheck_hdf5_c INTERFACE H5_USE_114_API)
endif()
