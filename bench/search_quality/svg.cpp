#include "search_quality/svg.h"

#include <cstdio>

namespace hone::bench {

namespace {

/// With one decimal: a tenth of a pixel cannot be seen.
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string listOf(const std::vector<Pixel>& points) {
  std::string list;
  for (const Pixel& point : points) list += (list.empty() ? "" : " ") + number(point.x) + "," + number(point.y);
  return list;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      default: result += c;
    }
  }
  return result;
}

}  // namespace

Svg::Svg(double width, double height)
    : head_("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) + "\" height=\"" + number(height) +
            "\" font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n") {}

void Svg::polyline(const std::vector<Pixel>& points, const std::string& colour, double width) {
  body_ += "<polyline points=\"" + listOf(points) + "\" fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"" +
           number(width) + "\"/>\n";
}

void Svg::polygon(const std::vector<Pixel>& points, const std::string& fill, double opacity) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", opacity);
  body_ += "<polygon points=\"" + listOf(points) + "\" fill=\"" + fill + "\" fill-opacity=\"" + text + "\"/>\n";
}

void Svg::line(Pixel from, Pixel to, const std::string& colour, double width) { polyline({from, to}, colour, width); }

void Svg::label(Pixel at, const std::string& text, Anchor anchor, double size, const std::string& colour) {
  constexpr const char* kNames[] = {"start", "middle", "end"};
  body_ += "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\" font-size=\"" + number(size) + "\" fill=\"" +
           colour + "\" text-anchor=\"" + kNames[static_cast<int>(anchor)] + "\">" + escaped(text) + "</text>\n";
}

std::string Svg::text() const { return head_ + body_ + "</svg>\n"; }

}  // namespace hone::bench
