"use strict";
// Draws every chart of the page: from values to positions on an axis, from positions to uPlot, which has linear scales only.
const charts = JSON.parse(document.getElementById("charts").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
const FONT = "13px system-ui, sans-serif";
const LANE = 14;
const BAR = 19;
let plots = [];

// ---- values: the same rules as Unit, Scale and Axis in Java

const TIME = { step: 1000, symbols: ["ns", "µs", "ms", "s"] };
const UNITS = {
  NANOSECONDS: { ...TIME, smallest: 1 }, MICROSECONDS: { ...TIME, smallest: 1e3 }, MILLISECONDS: { ...TIME, smallest: 1e6 },
  SECONDS: { ...TIME, smallest: 1e9 }, BYTES: { step: 1024, symbols: ["B", "KiB", "MiB", "GiB", "TiB"], smallest: 1 },
  PER_SECOND: { step: 1000, symbols: ["/s", "k/s", "M/s", "G/s"], smallest: 1 }, COUNT: { step: 1000, symbols: ["", "k", "M", "G"], smallest: 1 },
  PERCENT: { step: 0, symbols: ["%"], smallest: 1 }, PLAIN: { step: 0, symbols: [""], smallest: 1 },
};

function rounded(value, digits) {
  return value >= 10 ** digits ? Math.round(value) : Number(value.toPrecision(digits));
}

function text(unit, value, digits = 3) {
  if (value == null || !isFinite(value)) return "–";
  if (value === 0) return "0";
  const { smallest, step, symbols } = UNITS[unit];
  const absolute = Math.abs(value) * smallest;
  const scaled = symbol => rounded(absolute / (symbol ? step ** symbol : 1), digits);
  let symbol = 0;
  while (step > 0 && symbol < symbols.length - 1 && scaled(symbol) >= step) symbol++;
  const number = scaled(symbol).toLocaleString("en", { maximumFractionDigits: 12 });
  return ((value < 0 ? "-" : "") + number + " " + symbols[symbol]).trim();
}

function percentile(position, more = 0) {
  const decimals = Math.max(0, Math.ceil(position - 1e-9) - 2 + more);
  return (100 - 100 * 10 ** -position).toFixed(decimals) + " %";
}

// Percentiles come as positions already: near 100 % a number has not enough digits for them.
function position(axis, value) {
  if (value == null) return value;
  return axis.scale === "LOGARITHMIC" ? (value > 0 ? Math.max(axis.low, Math.log10(value)) : axis.low) : value;
}

function hovered(axis, value) {
  return value == null ? "–" : axis.scale === "NINES" ? percentile(value, 1) : text(axis.unit, value);
}

function multiples(low, high, step) {
  const list = [];
  for (let i = Math.ceil(low / step - 1e-9); i <= Math.floor(high / step + 1e-9); i++) list.push(i * step);
  return list;
}

function step(axis, least) {
  if (axis.unit === "BYTES") return 2 ** Math.ceil(Math.log2(least) - 1e-9);
  const decade = 10 ** Math.floor(Math.log10(least));
  return decade * ([1, 2, 5].find(lead => lead * decade >= least * (1 - 1e-9)) ?? 10);
}

function decades(low, high, most) {
  if ((high - low) * 3 > most) return multiples(low, high, Math.max(1, Math.ceil((high - low) / most)));
  const list = [];
  for (let decade = Math.floor(low); decade <= high; decade++) [1, 2, 5].forEach(lead => list.push(decade + Math.log10(lead)));
  return list.filter(each => each >= low - 1e-9 && each <= high + 1e-9);
}

function ticks(axis, low, high, most) {
  const two = Math.log10(2);
  switch (axis.scale) {
    case "NINES": return [two, ...multiples(low, high, Math.max(1, Math.ceil((high - low) / most)))].filter(each => each >= low && each <= high);
    case "LOGARITHMIC": {
      const list = axis.unit === "BYTES" ? multiples(low, high, two * Math.max(1, Math.ceil((high - low) / two / most))) : decades(low, high, most);
      return list.length > 1 ? list : multiples(low, high, step({}, (high - low) / most));
    }
    default: return multiples(low, high, step(axis, (high - low) / most));
  }
}

function tickLabels(axis, positions) {
  const gap = positions.length > 1 ? positions[1] - positions[0] : 1;
  const digits = axis.scale === "LINEAR" ? Math.max(3, Math.ceil(Math.log10(Math.max(...positions.map(Math.abs)) / gap)) + 1) : 3;
  return positions.map(each => axis.scale === "NINES" ? percentile(each)
    : text(axis.unit, axis.scale === "LOGARITHMIC" ? 10 ** each : Math.abs(each) < 1e-12 ? 0 : each, digits));
}

// ---- what all charts share

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function palette(name, index) {
  const colours = document.body.dataset[name].split(" ");
  return colours[index % colours.length];
}

function curveColour(index) {
  return palette(dark.matches ? "dark" : "light", index);
}

function laneColour(index) {
  return palette(dark.matches ? "darkLanes" : "lightLanes", index);
}

function translucent(hex, share) {
  return hex + Math.round(share * 255).toString(16).padStart(2, "0");
}

function measured(texts) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = FONT;
  return Math.max(0, ...texts.flatMap(each => each.split("\n")).map(each => pen.measureText(each).width));
}

function axisOptions(axis, more) {
  return {
    stroke: colour("--soft"), font: FONT, labelFont: FONT, labelSize: 24, grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1, size: 5 },
    splits: (plot, index, low, high) => ticks(axis, low, high, Math.max(2, Math.floor((plot.axes[index].side % 2 ? plot.height / (axis.scale === "LOGARITHMIC" ? 28 : 45) : plot.width / 95)))),
    values: (plot, positions) => tickLabels(axis, positions), ...more,
  };
}

function leftSize(plot, labels) {
  return labels == null ? 60 : Math.ceil(measured(labels.filter(each => each != null))) + 18;
}

function pixel(plot, scale, position) {
  return plot.valToPos(position, scale, true);
}

function within(plot, draw) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left - 6 * devicePixelRatio, bbox.top - 6 * devicePixelRatio, bbox.width + 12 * devicePixelRatio, bbox.height + 12 * devicePixelRatio);
  ctx.clip();
  draw(ctx, bbox, devicePixelRatio);
  ctx.restore();
}

function nothing(plot) {
  within(plot, (pen, box, ratio) => {
    pen.fillStyle = colour("--soft");
    pen.font = 15 * ratio + "px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.fillText("no data", box.left + box.width / 2, box.top + box.height / 2);
  });
}

// A list below the legend of what has no values to hover over.
function notes(place, entries) {
  const list = document.createElement("ul");
  list.className = "notes";
  entries.forEach(({ name, colour }) => {
    const item = list.appendChild(document.createElement("li"));
    const box = item.appendChild(document.createElement("i"));
    box.style.background = colour;
    item.append(name);
  });
  if (entries.length) place.append(list);
}

// ---- curves

const DASHES = [undefined, [10, 4], [3, 3], [12, 3, 3, 3]];
const MARKERS = [
  (path, x, y, r) => path.arc(x, y, r, 0, 7),
  (path, x, y, r) => path.rect(x - r, y - r, 2 * r, 2 * r),
  (path, x, y, r) => polygon(path, [[x, y - 1.2 * r], [x + 1.2 * r, y + r], [x - 1.2 * r, y + r]]),
  (path, x, y, r) => polygon(path, [[x, y - 1.4 * r], [x + 1.4 * r, y], [x, y + 1.4 * r], [x - 1.4 * r, y]]),
  (path, x, y, r) => polygon(path, [[x, y + 1.2 * r], [x + 1.2 * r, y - r], [x - 1.2 * r, y - r]]),
];

function polygon(path, corners) {
  corners.forEach(([x, y], index) => index ? path.lineTo(x, y) : path.moveTo(x, y));
  path.closePath();
}

function marker(pen, index, x, y, radius) {
  pen.beginPath();
  MARKERS[index % MARKERS.length](pen, x, y, radius);
  pen.fill();
}

// Markers tell curves apart where colours do not; a long curve has only some.
function markers(plot, chart, index, xs, ys) {
  const places = [...xs.keys()].filter(i => ys[i] != null);
  const every = Math.ceil(places.length / 60);
  if (chart.curves[index].baseline && places.length > 1) return;
  within(plot, (pen, box, ratio) => {
    pen.fillStyle = curveColour(index);
    places.filter((place, i) => i % every === 0 || i === places.length - 1).forEach(place => {
      if (xs[place] >= plot.scales.x.min && xs[place] <= plot.scales.x.max) marker(pen, index, pixel(plot, "x", xs[place]), pixel(plot, "y", ys[place]), 3.6 * ratio);
    });
  });
}

function rectangle(pen, from, to, top, height, ratio) {
  pen.fillRect(from, top, Math.max(1.2 * ratio, to - from), height);
}

function lanes(plot, chart) {
  const { ctx, bbox } = plot, ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height + chart.lanes.length * LANE * ratio + 4 * ratio);
  ctx.clip();
  chart.lanes.forEach((lane, index) => {
    const places = spans => spans.map(([from, to]) => [pixel(plot, "x", position(chart.x, from)), pixel(plot, "x", position(chart.x, to))]);
    ctx.fillStyle = laneColour(index);
    places(lane.spans).forEach(([from, to]) => rectangle(ctx, from, to, bbox.top + bbox.height + (3 + index * LANE) * ratio, (LANE - 4) * ratio, ratio));
    ctx.fillStyle = translucent(laneColour(index), dark.matches ? 0.28 : 0.14);
    places(lane.longest).forEach(([from, to]) => rectangle(ctx, from, to, bbox.top, bbox.height, ratio));
  });
  ctx.restore();
}

function marks(plot, chart) {
  within(plot, (pen, box, ratio) => chart.marks.forEach(mark => {
    const x = pixel(plot, "x", position(chart.x, mark.x));
    pen.strokeStyle = mark.curve < 0 ? colour("--soft") : curveColour(mark.curve);
    pen.lineWidth = 1.6 * ratio;
    pen.setLineDash([2 * ratio, 4 * ratio]);
    pen.beginPath();
    pen.moveTo(x, box.top);
    pen.lineTo(x, box.top + box.height);
    pen.stroke();
    pen.fillStyle = colour("--soft");
    pen.font = 13 * ratio + "px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.fillText(mark.text, x + 5 * ratio, box.top + 14 * ratio);
  }));
}

function bands(plot, chart) {
  within(plot, pen => chart.bands.forEach((band, index) => {
    const there = [...band.x.keys()].filter(i => band.low[i] != null && band.high[i] != null);
    const corner = values => i => [pixel(plot, "x", position(chart.x, band.x[i])), pixel(plot, "y", position(chart.y, values[i]))];
    pen.fillStyle = translucent(curveColour(index), 0.25);
    pen.beginPath();
    polygon(pen, [...there.map(corner(band.low)), ...there.reverse().map(corner(band.high))]);
    pen.fill();
  }));
}

function sample(chart, index) {
  const line = chart.curves[index], name = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(name, "svg");
  const canvas = svg.appendChild(document.createElementNS(name, "line"));
  const attributes = { x1: 0, y1: 7, x2: 30, y2: 7, stroke: curveColour(index), "stroke-width": line.baseline ? 1.4 : 2.4,
    "stroke-dasharray": (line.baseline ? [7, 5] : DASHES[Math.floor(index / 8) % 4] ?? []).join(" ") };
  Object.entries(attributes).forEach(([key, value]) => canvas.setAttribute(key, value));
  if (!line.baseline) {
    const corners = [];
    MARKERS[index % MARKERS.length]({ moveTo: (x, y) => corners.push([x, y]), lineTo: (x, y) => corners.push([x, y]), closePath() {},
      arc: (x, y, r) => { for (let a = 0; a < 6.28; a += 0.4) corners.push([x + r * Math.cos(a), y + r * Math.sin(a)]); },
      rect: (x, y, w, h) => corners.push([x, y], [x + w, y], [x + w, y + h], [x, y + h]) }, 15, 7, 3.8);
    const shape = svg.appendChild(document.createElementNS(name, "polygon"));
    shape.setAttribute("points", corners.map(corner => corner.join(",")).join(" "));
    shape.setAttribute("fill", curveColour(index));
  }
  return svg;
}

function nearest(values, index) {
  for (let distance = 0; distance < values.length; distance++) {
    if (values[index - distance] != null) return index - distance;
    if (values[index + distance] != null) return index + distance;
  }
  return null;
}

function drawCurves(chart, place) {
  const raw = chart.curves.length ? uPlot.join(chart.curves.map(curve => [curve.x.map(each => position(chart.x, each)), curve.y])) : [[]];
  const data = raw.map((values, index) => index ? values.map(each => position(chart.y, each)) : values);
  const label = place.appendChild(document.createElement("div"));
  label.className = "upright";
  label.textContent = chart.y.label;
  const below = chart.lanes.length * LANE;
  const plot = new uPlot({
    width: place.clientWidth - 26, height: 400 + below, padding: [12, 24, 0, 0],
    scales: { x: { time: false, range: () => [chart.x.low, chart.x.high] }, y: { range: () => [chart.y.low, chart.y.high] } },
    cursor: { drag: { x: true, y: true, uni: 30 }, dataIdx: (plot, index, over) => index ? nearest(raw[index], over) : over },
    axes: [axisOptions(chart.x, { label: chart.x.label, gap: 5 + below, size: 34 + below, ticks: { show: !below, stroke: colour("--line"), size: 5 } }),
      axisOptions(chart.y, { size: leftSize })],
    series: [{ label: chart.x.label, value: (plot, value) => chart.x.scale === "LOGARITHMIC" && value != null ? text(chart.x.unit, 10 ** value) : hovered(chart.x, value) },
      ...chart.curves.map((curve, index) => ({
        label: curve.name, stroke: curveColour(index), width: curve.baseline ? 1.3 : 2.2, dash: curve.baseline ? [7, 5] : DASHES[Math.floor(index / 8) % 4],
        points: { show: false }, value: (plot, value, series, at) => at == null ? "–" : hovered(chart.y, raw[series][at]),
      }))],
    hooks: {
      drawAxes: [plot => { lanes(plot, chart); bands(plot, chart); marks(plot, chart); }],
      drawSeries: [(plot, series) => series && markers(plot, chart, series - 1, data[0], data[series])],
      draw: [plot => { if (!chart.curves.some(curve => curve.y.some(each => each != null))) nothing(plot); }],
    },
  }, data, place);
  place.querySelectorAll(".u-legend .u-series").forEach((row, index) => index && row.querySelector(".u-marker").replaceWith(sample(chart, index - 1)));
  notes(place, [...chart.bands.map((band, index) => ({ name: band.name, colour: translucent(curveColour(index), 0.25) })),
    ...chart.lanes.map((lane, index) => ({ name: lane.name, colour: laneColour(index) }))]);
  return plot;
}

// ---- bars

const FILLED = 0.82;

function wrapped(name) {
  return name.match(/.{1,34}(\s|$)|.{1,34}/g)?.map(line => line.trim()).join("\n") ?? "";
}

function ends(chart, group) {
  return chart.groups[group].values.map((value, category) => chart.stacked ? base(chart, group, category) + (value ?? 0) : value);
}

function base(chart, group, category) {
  return chart.groups.slice(0, group).reduce((sum, each) => sum + (each.values[category] ?? 0), 0);
}

function barPlace(chart, group, category) {
  return category - FILLED / 2 + (chart.stacked ? 0 : group * thickness(chart));
}

function thickness(chart) {
  return FILLED / (chart.stacked ? 1 : chart.groups.length);
}

// Calls visit with every bar and its middle among the categories.
function forEachBar(chart, visit) {
  chart.groups.forEach((group, index) => chart.categories.forEach((name, category) =>
    visit(group, category, barPlace(chart, index, category) + thickness(chart) / 2, index)));
}

function line(pen, standing, along1, aside1, along2, aside2) {
  pen.beginPath();
  pen.moveTo(...(standing ? [aside1, along1] : [along1, aside1]));
  pen.lineTo(...(standing ? [aside2, along2] : [along2, aside2]));
  pen.stroke();
}

function whiskers(plot, chart) {
  within(plot, (pen, box, ratio) => {
    pen.strokeStyle = colour("--ink");
    pen.lineWidth = 1.4 * ratio;
    forEachBar(chart, (group, category, middle) => {
      if (chart.stacked || group.values[category] == null || group.low[category] == null || group.high[category] == null) return;
      const at = pixel(plot, "x", middle), reach = 4 * ratio;
      const [low, high] = [group.low[category], group.high[category]].map(each => pixel(plot, "y", position(chart.values, each)));
      line(pen, chart.standing, low, at, high, at);
      [low, high].forEach(end => line(pen, chart.standing, end, at - reach, end, at + reach));
    });
  });
}

function values(plot, chart) {
  const slot = (chart.standing ? plot.bbox.width : plot.bbox.height) / devicePixelRatio / chart.categories.length * thickness(chart);
  if (chart.standing && slot < 42) return;
  within(plot, (pen, box, ratio) => {
    pen.fillStyle = colour("--ink");
    pen.font = 12 * ratio + "px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = chart.standing ? "center" : "left";
    forEachBar(chart, (group, category, middle, index) => {
      if (chart.stacked && index < chart.groups.length - 1) return;
      const value = chart.stacked ? base(chart, chart.groups.length, category) : group.values[category];
      const whisker = !chart.stacked && group.low[category] != null ? group.high[category] : null;
      const end = pixel(plot, "y", position(chart.values, whisker ?? value ?? 0)), at = pixel(plot, "x", middle);
      pen.fillText(text(chart.values.unit, value), chart.standing ? at : end + 6 * ratio, chart.standing ? end - 9 * ratio : at);
    });
  });
}

// Bars have neither markers nor dashes: the second time round they are paler, the third time darker.
function barColour(index) {
  const round = Math.floor(index / 8), grey = round % 2 ? 255 : 0;
  return "#" + [1, 3, 5].map(at => parseInt(curveColour(index).slice(at, at + 2), 16))
    .map(part => (round ? Math.floor((part + grey) / 2) : part).toString(16).padStart(2, "0")).join("");
}

function group(chart, index) {
  const size = { unit: 1, values: () => [thickness(chart)] };
  const x0 = { unit: 1, values: () => chart.categories.map((name, category) => barPlace(chart, index, category)) };
  const y0 = { values: () => chart.categories.map((name, category) => chart.stacked ? base(chart, index, category) : chart.values.low) };
  const y1 = { values: plot => plot.data[index + 1] };
  return {
    label: chart.groups[index].name, width: 0, stroke: barColour(index), fill: barColour(index), points: { show: false },
    paths: uPlot.paths.bars({ disp: { x0, size, y0, y1 } }),
    value: (plot, value, series, at) => at == null ? "–" : range(chart, chart.groups[index], at),
  };
}

function range(chart, group, category) {
  const whisker = group.low[category] != null ? " (" + text(chart.values.unit, group.low[category]) + " to " + text(chart.values.unit, group.high[category]) + ")" : "";
  return text(chart.values.unit, group.values[category]) + whisker;
}

// Names that are too long for their places are written upwards; short ones (sizes, numbers) are thinned out.
function isRotated(chart, place) {
  const widest = measured(chart.categories);
  return chart.standing && widest > 80 && widest + 14 > (place.clientWidth - 110) / chart.categories.length;
}

function categoryAxis(chart, rotated) {
  const widest = chart.standing ? Math.min(220, measured(chart.categories)) : measured(chart.categories.map(wrapped));
  return axisOptions({}, {
    side: chart.standing ? 2 : 3, grid: { show: false }, size: chart.standing ? (rotated ? widest + 20 : 34) : Math.ceil(widest) + 18,
    splits: () => chart.categories.map((name, category) => category), values: () => chart.categories.map(() => ""), ticks: { show: false },
  });
}

function shortened(name, room) {
  let end = name.length;
  while (end > 1 && measured([name.slice(0, end)]) > room) end--;
  return end < name.length ? name.slice(0, end - 1) + "…" : name;
}

function categories(plot, chart, rotated) {
  const { ctx, bbox } = plot, ratio = devicePixelRatio;
  const needed = chart.standing ? (rotated ? 20 : measured(chart.categories) + 14) : 1;
  const every = Math.max(1, Math.ceil(needed * ratio * chart.categories.length / bbox.width));
  ctx.save();
  ctx.fillStyle = colour("--soft");
  ctx.font = 13 * ratio + "px system-ui, sans-serif";
  ctx.textBaseline = "middle";
  ctx.textAlign = chart.standing && !rotated ? "center" : "right";
  chart.categories.forEach((name, category) => {
    const at = pixel(plot, "x", category);
    if (category % every) return;
    ctx.save();
    if (chart.standing) ctx.translate(at, bbox.top + bbox.height + (rotated ? 8 : 14) * ratio);
    else ctx.translate(bbox.left - 10 * ratio, at);
    if (rotated) ctx.rotate(-Math.PI / 2);
    const lines = chart.standing ? [rotated ? shortened(name, 216) : name] : wrapped(name).split("\n");
    lines.forEach((line, index) => ctx.fillText(line, 0, (index - (lines.length - 1) / 2) * 19 * ratio));
    ctx.restore();
  });
  ctx.restore();
}

function drawBars(chart, place) {
  const count = Math.max(1, chart.categories.length), rotated = isRotated(chart, place);
  const label = place.appendChild(document.createElement("div"));
  label.className = "upright";
  label.textContent = chart.standing ? chart.values.label : "";
  const lines = Math.max(1, ...chart.categories.map(name => wrapped(name).split("\n").length));
  const row = Math.max((chart.stacked ? 1 : chart.groups.length) * BAR / FILLED, lines * 19) + 12;
  return new uPlot({
    width: place.clientWidth - 26, height: chart.standing ? 420 + (rotated ? Math.min(220, measured(chart.categories)) : 0) : Math.round(count * row) + 70, padding: [10, 24, 0, 0],
    scales: { x: { time: false, ori: chart.standing ? 0 : 1, dir: chart.standing ? 1 : -1, range: () => [-0.5, count - 0.5] },
      y: { ori: chart.standing ? 1 : 0, dir: 1, range: () => [chart.values.low, chart.values.high] } },
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    axes: [categoryAxis(chart, rotated), axisOptions(chart.values, chart.standing ? { side: 3, size: leftSize } : { side: 2, size: 34, label: chart.values.label })],
    series: [{ label: "category", value: (plot, value) => value == null ? "–" : chart.categories[value] }, ...chart.groups.map((each, index) => group(chart, index))],
    hooks: { draw: [plot => {
      categories(plot, chart, rotated);
      whiskers(plot, chart);
      values(plot, chart);
      if (!chart.groups.some(each => each.values.some(value => value != null))) nothing(plot);
    }] },
  }, [chart.categories.map((name, category) => category), ...chart.groups.map((each, index) => ends(chart, index).map(value => position(chart.values, value)))], place);
}

// ---- the page

function draw() {
  plots.forEach(plot => plot.destroy());
  plots = charts.map((chart, index) => {
    const place = document.getElementById("chart-" + index);
    place.replaceChildren();
    return chart.groups ? drawBars(chart, place) : drawCurves(chart, place);
  });
}

draw();
dark.addEventListener("change", draw);
let resized;
addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(draw, 100);
});
