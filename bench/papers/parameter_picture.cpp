#include "papers/parameter_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>

#include "search_quality/svg.h"

namespace hone::bench {

namespace {

using test::RecordedRow;
using test::RecordedSpace;
using Configuration = std::vector<std::int64_t>;
using Times = std::vector<std::optional<double>>;  // ms

// Colours that people with colour blindness tell apart (Okabe, Ito 2008).
constexpr const char *kBestColour = "#0072B2", *kTunedColour = "#D55E00", *kDefaultColour = "#000000";
constexpr const char *kGrid = "#dddddd", *kMissing = "#f0f0f0", *kFaint = "#666666";

constexpr double kTop = 84;  // below the titles and the legend
constexpr double kMapWidth = 520, kMapHeight = 400;
constexpr double kDiagramWidth = 330, kWideDiagramWidth = 820, kDiagramHeight = 190;
constexpr double kMargin = 66;  // left of an axis: its numbers and its title
constexpr std::size_t kColumns = 2;

std::string short3(double number) {
  char text[32];
  std::snprintf(text, sizeof text, number < 1000 ? "%.3g" : "%.0f", number);
  return text;
}

/// Times over the values of one parameter, or of two.
class View {
 public:
  View(const RecordedSpace& space, Configuration defaults, Configuration tuned)
      : space_(space), default_(std::move(defaults)), tuned_(std::move(tuned)) {}

  const RecordedSpace& space() const { return space_; }
  const std::vector<std::int64_t>& values(std::size_t p) const { return space_.parameters()[p].values; }
  const std::string& name(std::size_t p) const { return space_.parameters()[p].name; }
  std::size_t placeOf(std::size_t p, std::int64_t value) const {
    return static_cast<std::size_t>(std::find(values(p).begin(), values(p).end(), value) - values(p).begin());
  }
  std::size_t defaultPlace(std::size_t p) const { return placeOf(p, default_[p]); }
  std::size_t tunedPlace(std::size_t p) const { return placeOf(p, tuned_[p]); }
  double defaultMs() const { return ms(*space_.find(default_)); }
  double tunedMs() const { return ms(*space_.find(tuned_)); }

  Times bestBy(std::size_t p) const {
    Times best(values(p).size());
    for (const RecordedRow& row : space_.rows()) keepBest(best[row.point[p]], row);
    return best;
  }
  /// By the place in p's values, then in q's.
  std::vector<Times> bestBy(std::size_t p, std::size_t q) const {
    std::vector<Times> best(values(p).size(), Times(values(q).size()));
    for (const RecordedRow& row : space_.rows()) keepBest(best[row.point[p]][row.point[q]], row);
    return best;
  }
  Times aroundTuned(std::size_t p) const {
    Times times;
    for (const std::int64_t value : values(p)) {
      Configuration changed = tuned_;
      changed[p] = value;
      const RecordedRow* row = space_.find(changed);
      times.push_back(row && row->timeNs ? std::optional(ms(*row)) : std::nullopt);
    }
    return times;
  }

 private:
  static double ms(const RecordedRow& row) { return row.timeNs.value() / 1e6; }
  static void keepBest(std::optional<double>& best, const RecordedRow& row) {
    if (row.timeNs) best = std::min(best.value_or(ms(row)), ms(row));
  }

  const RecordedSpace& space_;
  Configuration default_, tuned_;
};

double smallest(const Times& times) {
  double least = INFINITY;
  for (const auto& time : times) least = std::min(least, time.value_or(INFINITY));
  return least;
}

double largest(const Times& times) {
  double most = 0;
  for (const auto& time : times) most = std::max(most, time.value_or(0));
  return most;
}

void circle(Svg& svg, Pixel centre, double radius, const std::string& fill, const std::string& border) {
  constexpr int kCorners = 24;
  std::vector<Pixel> outline;
  for (int i = 0; i <= kCorners; ++i) {
    const double angle = 2 * M_PI * i / kCorners;
    outline.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  svg.polygon(outline, fill, 1);
  svg.polyline(outline, border, 1.8);
}

// Where both are the same, the tuned one's disc lies in the default's.
void markDefault(Svg& svg, Pixel at) { circle(svg, at, 6.5, "#ffffff", kDefaultColour); }
void markTuned(Svg& svg, Pixel at) { circle(svg, at, 4, kTunedColour, kTunedColour); }

// ---- the diagram of one parameter

/// Times on a vertical axis: from 0, or where they spread over more than a factor of 8, logarithmic.
class TimeAxis {
 public:
  TimeAxis(double least, double most, double top, double bottom)
      : isLogarithmic_(most > 8 * least),
        from_(isLogarithmic_ ? std::log(least / 1.15) : 0),
        to_(isLogarithmic_ ? std::log(most * 1.15) : most * 1.08),
        top_(top),
        bottom_(bottom) {}

  double y(double ms) const {
    return bottom_ - ((isLogarithmic_ ? std::log(ms) : ms) - from_) / (to_ - from_) * (bottom_ - top_);
  }

  std::vector<double> ticks() const {
    std::vector<double> ticks;
    if (isLogarithmic_) {
      for (int power = -6; power <= 6; ++power) {
        for (const double digit : {1.0, 2.0, 5.0}) {
          const double tick = digit * std::pow(10, power);
          if (std::log(tick) >= from_ && std::log(tick) <= to_) ticks.push_back(tick);
        }
      }
      return ticks;
    }
    const double rough = to_ / 4, power = std::pow(10, std::floor(std::log10(rough)));
    const double step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
    for (double tick = 0; tick <= to_; tick += step) ticks.push_back(tick);
    return ticks;
  }

 private:
  bool isLogarithmic_;
  double from_, to_, top_, bottom_;
};

void drawLine(Svg& svg, const std::vector<double>& x, const TimeAxis& axis, const Times& times, const char* colour) {
  std::vector<Pixel> points;
  const auto end = [&] {
    if (points.size() > 1) svg.polyline(points, colour, 2);
    points.clear();
  };
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!times[i]) {
      end();
      continue;
    }
    points.push_back({x[i], axis.y(*times[i])});
    circle(svg, points.back(), 1.5, colour, colour);
  }
  end();
}

void drawDiagram(Svg& svg, const View& view, std::size_t p, double left, double top, double width) {
  const double right = left + width - kMargin, bottom = top + kDiagramHeight - 52;
  const Times best = view.bestBy(p), around = view.aroundTuned(p);
  const double least = std::min({smallest(best), view.tunedMs(), view.defaultMs()});
  const double most = std::max({largest(best), largest(around), view.defaultMs()});
  const TimeAxis axis(least, most, top, bottom);
  const std::size_t count = view.values(p).size();
  std::vector<double> x;
  for (std::size_t i = 0; i < count; ++i)
    x.push_back(left + (static_cast<double>(i) + 0.5) / static_cast<double>(count) * (right - left));

  for (const double tick : axis.ticks()) {
    svg.line({left, axis.y(tick)}, {right, axis.y(tick)}, kGrid);
    svg.label({left - 5, axis.y(tick) + 4}, short3(tick), Svg::Anchor::end, 10);
  }
  svg.line({left, bottom}, {right, bottom}, kFaint);
  for (std::size_t i = 0; i < count; ++i)
    svg.label({x[i], bottom + 14}, std::to_string(view.values(p)[i]), Svg::Anchor::middle,
              width / static_cast<double>(count) < 30 ? 8 : 10);
  svg.label({(left + right) / 2, bottom + 31}, view.name(p), Svg::Anchor::middle, 12);
  svg.label({left - 30, top - 8}, "time, ms", Svg::Anchor::start, 10, kFaint);

  drawLine(svg, x, axis, around, kTunedColour);
  drawLine(svg, x, axis, best, kBestColour);
  markDefault(svg, {x[view.defaultPlace(p)], axis.y(view.defaultMs())});
  markTuned(svg, {x[view.tunedPlace(p)], axis.y(view.tunedMs())});
}

// ---- the heat map of two parameters

struct Colour {
  double red, green, blue;
};

/// Dark is fast: five points of a scale that gets lighter evenly (viridis: van der Walt, Smith 2015).
Colour colourAt(double share) {
  constexpr std::array<Colour, 5> kScale{{{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double place = std::clamp(share, 0.0, 1.0) * (kScale.size() - 1);
  const std::size_t below = std::min<std::size_t>(static_cast<std::size_t>(place), kScale.size() - 2);
  const double part = place - static_cast<double>(below);
  const auto mix = [&](double Colour::*channel) {
    return kScale[below].*channel + part * (kScale[below + 1].*channel - kScale[below].*channel);
  };
  return {mix(&Colour::red), mix(&Colour::green), mix(&Colour::blue)};
}

std::string hex(const Colour& colour) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", static_cast<unsigned>(colour.red),
                static_cast<unsigned>(colour.green), static_cast<unsigned>(colour.blue));
  return text;
}

void rectangle(Svg& svg, Pixel corner, double width, double height, const std::string& fill) {
  svg.polygon(
      {corner, {corner.x + width, corner.y}, {corner.x + width, corner.y + height}, {corner.x, corner.y + height}},
      fill, 1);
}

void drawScale(Svg& svg, double left, double top, double width, double least, double most) {
  constexpr int kSteps = 60;
  for (int i = 0; i < kSteps; ++i)
    rectangle(svg, {left + width * i / kSteps, top}, width / kSteps + 0.5, 10, hex(colourAt(i / (kSteps - 1.0))));
  for (const double share : {0.0, 0.5, 1.0}) {
    svg.label({left + share * width, top + 23}, short3(least * std::pow(most / least, share)) + " ms",
              share == 0   ? Svg::Anchor::start
              : share == 1 ? Svg::Anchor::end
                           : Svg::Anchor::middle,
              10);
  }
}

void drawMap(Svg& svg, const View& view, std::size_t across, std::size_t down, double left, double top) {
  const std::vector<Times> best = view.bestBy(across, down);
  double least = INFINITY, most = 0;
  for (const Times& column : best) least = std::min(least, smallest(column)), most = std::max(most, largest(column));
  const double width = (kMapWidth - kMargin) / static_cast<double>(best.size());
  const double height = kMapHeight / static_cast<double>(view.values(down).size());
  const auto corner = [&](std::size_t i, std::size_t j) {
    return Pixel{left + static_cast<double>(i) * width, top + static_cast<double>(j) * height};
  };
  for (std::size_t i = 0; i < best.size(); ++i) {
    for (std::size_t j = 0; j < best[i].size(); ++j) {
      const Pixel at = corner(i, j);
      const double share = best[i][j] && most > least ? std::log(*best[i][j] / least) / std::log(most / least) : 0;
      rectangle(svg, at, width - 1, height - 1, best[i][j] ? hex(colourAt(share)) : kMissing);
      if (width < 28 || height < 12) continue;
      svg.label({at.x + width / 2, at.y + height / 2 + 4}, best[i][j] ? short3(*best[i][j]) : "-", Svg::Anchor::middle,
                10, best[i][j] && share < 0.6 ? "#ffffff" : "#222222");
    }
  }
  const double bottom = top + kMapHeight;
  for (std::size_t i = 0; i < best.size(); ++i)
    svg.label({corner(i, 0).x + width / 2, bottom + 14}, std::to_string(view.values(across)[i]), Svg::Anchor::middle,
              10);
  for (std::size_t j = 0; j < view.values(down).size(); ++j)
    svg.label({left - 6, corner(0, j).y + height / 2 + 4}, std::to_string(view.values(down)[j]), Svg::Anchor::end, 10);
  svg.label({left + (kMapWidth - kMargin) / 2, bottom + 31}, view.name(across), Svg::Anchor::middle, 12);
  svg.label({left - kMargin + 14, top - 8}, view.name(down), Svg::Anchor::start, 12);
  const auto mark = [&](std::size_t i, std::size_t j, bool isDefault) {
    const Pixel at{corner(i, j).x + (isDefault ? 10 : width - 11), corner(i, j).y + (isDefault ? 10 : height - 11)};
    isDefault ? markDefault(svg, at) : markTuned(svg, at);
  };
  mark(view.defaultPlace(across), view.defaultPlace(down), true);
  mark(view.tunedPlace(across), view.tunedPlace(down), false);
  drawScale(svg, left, bottom + 46, kMapWidth - kMargin, least, most);
}

void drawLegend(Svg& svg, const View& view) {
  constexpr double kY = 56;
  markDefault(svg, {24, kY});
  svg.label({37, kY + 4}, "default, " + short3(view.defaultMs()) + " ms", Svg::Anchor::start, 12);
  markTuned(svg, {184, kY});
  svg.label({195, kY + 4}, "tuned, " + short3(view.tunedMs()) + " ms", Svg::Anchor::start, 12);
  svg.line({330, kY}, {354, kY}, kBestColour, 2);
  svg.label({360, kY + 4}, "the best with this value, whatever the others", Svg::Anchor::start, 12);
  svg.line({640, kY}, {664, kY}, kTunedColour, 2);
  svg.label({670, kY + 4}, "tuned, but for this parameter", Svg::Anchor::start, 12);
}

}  // namespace

double importance(const RecordedSpace& space, std::size_t p) {
  const Times best = View(space, {}, {}).bestBy(p);
  return largest(best) / smallest(best);
}

std::string drawParameters(const RecordedSpace& space, const Configuration& defaultConfiguration,
                           const Configuration& tunedConfiguration, const PictureTexts& texts) {
  const View view(space, defaultConfiguration, tunedConfiguration);
  std::vector<std::size_t> varied;
  for (std::size_t p = 0; p < space.parameters().size(); ++p) {
    if (view.values(p).size() > 1) varied.push_back(p);
  }
  std::stable_sort(varied.begin(), varied.end(),
                   [&](std::size_t p, std::size_t q) { return importance(space, p) > importance(space, q); });
  const bool hasMap = varied.size() > 1;
  const double diagramsLeft = hasMap ? kMapWidth + 40 : 0;
  const std::size_t rows = (varied.size() + kColumns - 1) / kColumns;
  const double width = std::max(diagramsLeft + kColumns * kDiagramWidth + 10, 900.0);
  const double height = std::max(hasMap ? kTop + kMapHeight + 90 : 0,
                                 kTop + 14 + kDiagramHeight * static_cast<double>(std::max<std::size_t>(rows, 1)));

  Svg svg(width, height);
  svg.label({16, 22}, texts.title, Svg::Anchor::start, 15);
  svg.label({16, 39}, texts.subtitle, Svg::Anchor::start, 11, kFaint);
  drawLegend(svg, view);
  if (hasMap) drawMap(svg, view, varied[0], varied[1], kMargin, kTop + 10);
  for (std::size_t i = 0; i < varied.size(); ++i) {
    const double left = diagramsLeft + kMargin - 10 + static_cast<double>(i % kColumns) * kDiagramWidth;
    drawDiagram(svg, view, varied[i], left, kTop + 10 + static_cast<double>(i / kColumns) * kDiagramHeight,
                hasMap ? kDiagramWidth : kWideDiagramWidth);
  }
  return svg.text();
}

}  // namespace hone::bench
