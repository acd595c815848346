#include "validator/codec/digest.h"

#include <md5.h>
#include <sys/types.h>

#include <array>

#include "validator/sha256.h"

namespace hepcheck {

std::string md5(std::span<const std::byte> bytes) {
  MD5_CTX context;
  MD5Init(&context);
  MD5Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  std::array<char, MD5_DIGEST_STRING_LENGTH> text{};
  MD5End(&context, text.data());
  return text.data();
}

std::string sha256(std::span<const std::byte> bytes) {
  Sha256 digest;
  digest.add({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
  return digest.hexadecimal();
}

}  // namespace hepcheck
