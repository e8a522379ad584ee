#include "image.h"

#include <png.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>

#include "errors.h"

namespace hone::apps {

namespace {

constexpr float kWhite = 255;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// libpng's description of an image, freed at the end.
class Description {
 public:
  Description() { image_.version = PNG_IMAGE_VERSION; }
  ~Description() { png_image_free(&image_); }
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;

  png_image* operator->() { return &image_; }
  png_image* get() { return &image_; }

 private:
  png_image image_{};
};

bool isPng(std::FILE* file) {
  png_byte signature[8] = {};
  const std::size_t count = std::fread(signature, 1, sizeof(signature), file);
  std::rewind(file);
  return count == sizeof(signature) && png_sig_cmp(signature, 0, sizeof(signature)) == 0;
}

void write(const std::string& path, std::size_t width, std::size_t height, png_uint_32 format, const void* pixels) {
  Description description;
  description->width = static_cast<png_uint_32>(width);
  description->height = static_cast<png_uint_32>(height);
  description->format = format;
  const bool isWritten = width <= std::numeric_limits<png_uint_32>::max() &&
                         height <= std::numeric_limits<png_uint_32>::max() &&
                         png_image_write_to_file(description.get(), path.c_str(), 0, pixels, 0, nullptr) != 0;
  if (!isWritten) throw InputError("cannot write '" + path + "': " + description->message);
}

}  // namespace

GreyImage readPng(const std::string& path) {
  errno = 0;
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) throw InputError("cannot read '" + path + "': " + std::strerror(errno));
  if (!isPng(file.get())) throw InputError("'" + path + "' is no PNG image");

  Description description;
  const auto requireSuccess = [&](int result) {
    if (result == 0) throw InputError("'" + path + "' is a damaged PNG image: " + description->message);
  };
  requireSuccess(png_image_begin_read_from_stdio(description.get(), file.get()));
  description->flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // what files of 16 bits hold that do not say
  description->format = PNG_FORMAT_GRAY;
  GreyImage image{description->width, description->height, {}};
  std::vector<png_byte> stored(image.width * image.height);
  const png_color black{};
  requireSuccess(png_image_finish_read(description.get(), &black, stored.data(), 0, nullptr));
  image.pixels.reserve(stored.size());
  for (const png_byte pixel : stored) image.pixels.push_back(static_cast<float>(pixel) / kWhite);
  return image;
}

void writePng(const std::string& path, const GreyImage& image) {
  std::vector<png_byte> stored;
  stored.reserve(image.pixels.size());
  for (const float pixel : image.pixels) {
    const float shown = std::isnan(pixel) ? 0 : std::clamp(pixel, 0.0f, 1.0f);
    stored.push_back(static_cast<png_byte>(std::lround(shown * kWhite)));
  }
  write(path, image.width, image.height, PNG_FORMAT_GRAY, stored.data());
}

void writePng(const std::string& path, const ColourImage& image) {
  static_assert(sizeof(Colour) == 3);
  write(path, image.width, image.height, PNG_FORMAT_RGB, image.pixels.data());
}

}  // namespace hone::apps
