// Small charts of the last minute: one figure each, or two that belong together.

import uPlot from "./uPlot.js";
import { Series, span } from "./series.js";

const number = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
const milliseconds = value => (value >= 1000 ? `${number.format(value / 1000)} s` : `${number.format(value)} ms`);
const percent = value => `${Math.round(value * 100)} %`;

const charts = [
  { name: "Requests per second", lines: [{ of: "requestsPerSecond", format: value => number.format(value) }], least: 10 },
  { name: "Latency", lines: [{ of: "meanLatency", label: "mean", format: milliseconds }, { of: "highLatency", label: "p99", format: milliseconds }], least: 10 },
  { name: "Batching interval", lines: [{ of: "interval", format: milliseconds }], least: 10 },
  { name: "Keys in a batch", lines: [{ of: "batchSize", format: value => number.format(value) }], least: 2 },
  { name: "Collapsed edits", lines: [{ of: "collapsedShare", format: percent }], least: 1 },
];

const plotHeight = 64;
const axisHeight = 18;
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name);

export class Charts {
  #series = new Series(charts.flatMap(chart => chart.lines.map(line => line.of)));
  #began = performance.now();

  constructor(grid) {
    this.plots = charts.map(chart => new Chart(chart, grid));
    // The colours are the page's: they change with its scheme.
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.plots.forEach(plot => plot.redraw()));
  }

  add(figures) {
    this.#series.add(this.#now(), figures);
    if (!document.hidden) for (const plot of this.plots) plot.show(this.#series, figures);
  }

  /** There are no figures for a while. */
  interrupt() {
    this.#series.interrupt(this.#now());
    for (const plot of this.plots) plot.now.textContent = "–";
  }

  #now() {
    return (performance.now() - this.#began) / 1000;
  }
}

class Chart {
  constructor(chart, grid) {
    this.chart = chart;
    const figure = document.getElementById("chart-template").content.firstElementChild.cloneNode(true);
    figure.querySelector(".chart-name").textContent = chart.name;
    this.now = figure.querySelector(".chart-now");
    this.place = figure.querySelector(".plot");
    grid.append(figure);
    const options = optionsOf(chart, this.place.clientWidth);
    this.plot = new uPlot(options, [[], ...chart.lines.map(() => [])], this.place);
    new ResizeObserver(() => this.plot.setSize({ width: this.place.clientWidth, height: options.height })).observe(this.place);
  }

  show(series, figures) {
    const { lines, name } = this.chart;
    this.plot.setData(series.of(lines.map(line => line.of)));
    const text = lines.map(line => `${line.label ? `${line.label} ` : ""}${figures[line.of] === null ? "–" : line.format(figures[line.of])}`).join(" · ");
    this.now.textContent = text;
    this.place.setAttribute("aria-label", `${name}, over the last minute. Now: ${text}`);
  }

  redraw() {
    this.plot.redraw();
  }
}

/** To a number whose half is a plain one too: a scale then moves seldom, and reads easily. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 4, 6, 8, 10].find(step => step * power >= value);
}

function optionsOf(chart, width) {
  const { lines, least } = chart;
  const last = chart === charts.at(-1); // one axis of time serves them all
  const axis = { stroke: () => colour("--faint"), font: "11px system-ui, sans-serif", ticks: { show: false } };
  const grid = { stroke: () => colour("--line"), width: 1 };
  return {
    width,
    height: plotHeight + (last ? axisHeight : 0),
    padding: [6, 16, last ? 0 : 4, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: (_, least, most) => [(most ?? 0) - span, most ?? 0] },
      y: { range: (_, low, high) => [0, roundUp(Math.max(least, high ?? 0))] },
    },
    axes: [
      { ...axis, show: last, grid: { show: false }, size: axisHeight, gap: 2, splits: (_, __, from, to) => [from + span / 2, to], values: () => ["30 s ago", "now"] },
      { ...axis, grid, size: 44, gap: 4, splits: (_, __, low, high) => [low, high / 2, high], values: (_, splits) => splits.map(lines[0].format) },
    ],
    series: [{}, ...lines.map((_, i) => ({ stroke: () => colour(`--line-${i + 1}`), width: 1.75, points: { show: false } }))],
  };
}
