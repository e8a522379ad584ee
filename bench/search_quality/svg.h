// Just enough SVG for diagrams: shapes and texts in pixels, y downwards, later ones above earlier ones.
//
//   Svg svg(640, 400);
//   svg.polyline({{0, 0}, {10, 20}}, "#336699");
//   file << svg.text();
#pragma once

#include <string>
#include <vector>

namespace hone::bench {

struct Pixel {
  double x, y;
};

/// Thread safety: externally synchronised.
class Svg {
 public:
  Svg(double width, double height);

  enum class Anchor {
    start,
    middle,
    end
  };

  /// Colours are as SVG writes them ("#336699", "none").
  void polyline(const std::vector<Pixel>& points, const std::string& colour, double width = 1.5);
  void polygon(const std::vector<Pixel>& points, const std::string& fill, double opacity);
  void line(Pixel from, Pixel to, const std::string& colour, double width = 1);
  void label(Pixel at, const std::string& text, Anchor anchor, double size = 12, const std::string& colour = "#333333");

  /// The whole document.
  std::string text() const;

 private:
  std::string head_, body_;
};

}  // namespace hone::bench
