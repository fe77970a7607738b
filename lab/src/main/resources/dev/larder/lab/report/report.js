"use strict";
// Draws every chart of the page; the colours of axes and grid follow the light or dark scheme.
const charts = JSON.parse(document.getElementById("charts").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
let drawn = [];

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axis(label, size) {
  return {
    label, size, labelSize: 22, stroke: colour("--soft"), font: "13px system-ui, sans-serif", labelFont: "13px system-ui, sans-serif",
    grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 },
  };
}

function series(line, index, colours) {
  return {
    label: line.name, stroke: colours[index % colours.length], width: line.baseline ? 1.3 : 2.2,
    dash: line.baseline ? [7, 5] : undefined, points: { show: !line.baseline && line.values.length <= 60, size: 6 },
    value: (plot, value) => value == null ? "–" : value.toLocaleString("en", { maximumFractionDigits: 2 }),
  };
}

function draw() {
  drawn.forEach(plot => plot.destroy());
  drawn = charts.map((chart, index) => {
    const place = document.getElementById("chart-" + index);
    const options = {
      width: place.clientWidth - 26, height: 380, scales: { x: { time: false }, y: { range: (plot, low, high) => [0, high * 1.05 || 1] } },
      axes: [axis(chart.xLabel, 34), axis(chart.yLabel, 70)],
      series: [{ label: chart.xLabel, value: (plot, value) => value == null ? "–" : value.toLocaleString("en", { maximumFractionDigits: 2 }) },
        ...chart.lines.map((line, i) => series(line, i, chart.colours))],
    };
    return new uPlot(options, [chart.x, ...chart.lines.map(line => line.values)], place);
  });
}

draw();
dark.addEventListener("change", draw);
addEventListener("resize", () => drawn.forEach((plot, index) =>
  plot.setSize({ width: document.getElementById("chart-" + index).clientWidth - 26, height: 380 })));
