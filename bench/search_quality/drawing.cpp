#include "search_quality/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "search_quality/density.h"
#include "search_quality/scores.h"
#include "search_quality/svg.h"

namespace hone::bench {

namespace {

// Colours that people with colour blindness tell apart (Okabe, Ito 2008).
constexpr std::array kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
constexpr const char* kGrid = "#dddddd";
constexpr const char* kSpaceColour = "#888888";

constexpr double kWidth = 1280, kHeight = 470;
constexpr double kTop = 50, kBottom = 410;  // of both panels
constexpr double kViolinStep = 0.005;       // fractions between two points of an outline
constexpr double kSmallestBandwidth = 0.004;

const char* colourOf(std::size_t contestant) { return kColours[contestant % kColours.size()]; }

/// A panel whose vertical axis are fractions of the optimum, from `lowest` to 1.
class Panel {
 public:
  Panel(Svg& svg, double left, double right, double lowest) : svg_(svg), left_(left), right_(right), lowest_(lowest) {}

  double y(double fraction) const {
    return kBottom - (std::clamp(fraction, lowest_, 1.0) - lowest_) / (1 - lowest_) * (kBottom - kTop);
  }
  double left() const { return left_; }
  double right() const { return right_; }

  void drawGrid(const std::string& title) {
    svg_.label({left_, kTop - 20}, title, Svg::Anchor::start, 13);
    const double step = lowest_ < 0.5 ? 0.1 : lowest_ < 0.85 ? 0.05 : 0.02;
    for (double fraction = 1; fraction > lowest_ - 1e-9; fraction -= step) {
      svg_.line({left_, y(fraction)}, {right_, y(fraction)}, kGrid);
      char text[16];
      std::snprintf(text, sizeof text, "%.2f", fraction);
      svg_.label({left_ - 6, y(fraction) + 4}, text, Svg::Anchor::end, 11);
    }
  }

 private:
  Svg& svg_;
  double left_, right_, lowest_;
};

struct Band {
  std::vector<double> low, middle, high;  // by trial
};

Band bandOf(const DrawnSearches& searches) {
  Band band;
  for (std::size_t trial = 0; trial < searches.fractionAfter.at(0).size(); ++trial) {
    std::vector<double> fractions;
    for (const auto& search : searches.fractionAfter) fractions.push_back(search[trial]);
    band.low.push_back(quantile(fractions, 0.1));
    band.middle.push_back(quantile(fractions, 0.5));
    band.high.push_back(quantile(std::move(fractions), 0.9));
  }
  return band;
}

/// What is drawn of the axis: down to the worst median after so many trials, rounded down to a tenth.
double lowestOf(const std::vector<Band>& bands) {
  constexpr std::size_t kFirstLookedAt = 10;
  double lowest = 0.9;
  for (const Band& band : bands) {
    if (band.middle.size() >= kFirstLookedAt) lowest = std::min(lowest, band.middle[kFirstLookedAt - 1]);
  }
  return std::floor(lowest * 10) / 10;
}

void drawCurves(Svg& svg, Panel& panel, const DrawnSpace& space, const std::vector<Band>& bands) {
  panel.drawGrid(space.name + ": optimum / best so far, median and 10-90 % of " +
                 std::to_string(space.searches.at(0).fractionAfter.size()) + " searches");
  const std::size_t trials = bands.at(0).middle.size();
  const auto x = [&](std::size_t trial) {  // from 1
    const double share = std::log(static_cast<double>(trial)) / std::log(static_cast<double>(trials));
    return panel.left() + share * (panel.right() - panel.left());
  };
  for (std::size_t trial : {1, 2, 5, 10, 25, 50, 100, 200, 400}) {
    if (trial > trials) break;
    svg.line({x(trial), kTop}, {x(trial), kBottom}, kGrid);
    svg.label({x(trial), kBottom + 16}, std::to_string(trial), Svg::Anchor::middle, 11);
  }
  svg.label({(panel.left() + panel.right()) / 2, kBottom + 34}, "trials", Svg::Anchor::middle, 12);

  const auto line = [&](const std::vector<double>& fractions) {
    std::vector<Pixel> points;
    for (std::size_t i = 0; i < fractions.size(); ++i) points.push_back({x(i + 1), panel.y(fractions[i])});
    return points;
  };
  for (std::size_t c = 0; c < bands.size(); ++c) {
    std::vector<Pixel> outline = line(bands[c].low);
    const std::vector<Pixel> upper = line(bands[c].high);
    outline.insert(outline.end(), upper.rbegin(), upper.rend());
    svg.polygon(outline, colourOf(c), 0.08);
  }
  for (std::size_t c = 0; c < bands.size(); ++c) svg.polyline(line(bands[c].low), colourOf(c), 0.7);  // the unlucky
  for (std::size_t c = 0; c < bands.size(); ++c) svg.polyline(line(bands[c].middle), colourOf(c), 2);
  double nameX = panel.left();
  for (std::size_t c = 0; c < bands.size(); ++c) {
    const std::string& name = space.searches[c].name;
    svg.line({nameX, kBottom + 50}, {nameX + 18, kBottom + 50}, colourOf(c), 3);
    svg.label({nameX + 23, kBottom + 54}, name, Svg::Anchor::start, 12);
    nameX += 45 + 7.5 * static_cast<double>(name.size());
  }
}

void drawViolin(Svg& svg, const Panel& panel, double lowest, double centre, double halfWidth,
                const std::vector<double>& fractions, const std::string& colour) {
  const double bandwidth = bandwidthOf(fractions, kSmallestBandwidth);
  std::vector<double> heights, densities;
  for (double height = lowest; height < 1 + kViolinStep / 2; height += kViolinStep) {
    heights.push_back(height);
    densities.push_back(densityAt(height, fractions, bandwidth));
  }
  const double widest = *std::max_element(densities.begin(), densities.end());
  std::vector<Pixel> outline;
  for (std::size_t i = 0; i < heights.size(); ++i)
    outline.push_back({centre - halfWidth * densities[i] / widest, panel.y(heights[i])});
  for (std::size_t i = heights.size(); i-- > 0;)
    outline.push_back({centre + halfWidth * densities[i] / widest, panel.y(heights[i])});
  svg.polygon(outline, colour, 0.6);
  const double median = panel.y(quantile(fractions, 0.5));
  svg.line({centre - halfWidth, median}, {centre + halfWidth, median}, "#000000", 2);
}

void drawViolins(Svg& svg, Panel& panel, double lowest, const DrawnSpace& space) {
  panel.drawGrid("after " + std::to_string(space.finalTrials) + " trials, " +
                 std::to_string(space.searches.at(0).finalFractions.size()) + " searches each; line: median");
  const double slot = (panel.right() - panel.left()) / static_cast<double>(space.searches.size() + 1);
  const auto draw = [&](std::size_t place, const std::string& name, const std::vector<double>& fractions,
                        const std::string& colour) {
    const double centre = panel.left() + (static_cast<double>(place) + 0.5) * slot;
    drawViolin(svg, panel, lowest, centre, 0.42 * slot, fractions, colour);
    svg.label({centre, kBottom + 16}, name, Svg::Anchor::middle, 11);
  };
  draw(0, "all rows", space.fractions, kSpaceColour);
  for (std::size_t c = 0; c < space.searches.size(); ++c)
    draw(c + 1, space.searches[c].name, space.searches[c].finalFractions, colourOf(c));
}

}  // namespace

std::string drawSpace(const DrawnSpace& space) {
  std::vector<Band> bands;
  for (const DrawnSearches& searches : space.searches) bands.push_back(bandOf(searches));
  Svg svg(kWidth, kHeight);
  Panel curves(svg, 50, 610, lowestOf(bands));
  drawCurves(svg, curves, space, bands);
  Panel violins(svg, 690, kWidth - 20, 0);
  drawViolins(svg, violins, 0, space);
  return svg.text();
}

}  // namespace hone::bench
