// Small charts of the last minute: one figure each, or two that belong together.

import uPlot from "./uPlot.js";
import { Series, span } from "./series.js";
import { milliseconds, percent, plain } from "./units.js";

// "least" keeps a scale from magnifying what is next to nothing.
const charts = [
  { name: "Requests per second", format: plain, least: 10, lines: [{ of: "requestsPerSecond" }] },
  { name: "Latency", format: milliseconds, least: 10, lines: [{ of: "meanLatency", label: "mean " }, { of: "highLatency", label: "p99 " }] },
  { name: "Batching interval", format: milliseconds, least: 10, lines: [{ of: "interval" }] },
  { name: "Keys in a batch", format: plain, least: 2, lines: [{ of: "batchSize" }] },
  { name: "Collapsed edits", format: percent, least: 1, lines: [{ of: "collapsedShare" }] },
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
    for (const plot of this.plots) plot.interrupt();
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
    this.values = chart.lines.map((_, i) => {
      const value = document.createElement("span");
      if (chart.lines.length > 1) value.className = `line-${i + 1}`; // the value's colour tells which line is its own
      return value;
    });
    figure.querySelector(".chart-now").append(...this.values);
    this.place = figure.querySelector(".plot");
    grid.append(figure);
    const options = optionsOf(chart, this.place.clientWidth);
    this.plot = new uPlot(options, [[], ...chart.lines.map(() => [])], this.place);
    new ResizeObserver(() => this.plot.setSize({ width: this.place.clientWidth, height: options.height })).observe(this.place);
  }

  show(series, figures) {
    const { lines, name, format } = this.chart;
    this.plot.setData(series.of(lines.map(line => line.of)));
    lines.forEach(({ of, label = "" }, i) => (this.values[i].textContent = label + (figures[of] === null ? "–" : format(figures[of]))));
    this.place.setAttribute("aria-label", `${name}, over the last minute. Now: ${this.values.map(value => value.textContent).join(", ")}`);
  }

  interrupt() {
    for (const value of this.values) value.textContent = "–";
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
  const { lines, least, format } = chart;
  const last = chart === charts.at(-1); // one axis of time serves them all
  const axis = { stroke: () => colour("--faint"), font: "11px system-ui, sans-serif", ticks: { show: false } };
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
      {
        ...axis,
        show: last,
        grid: { show: false },
        size: axisHeight,
        gap: 2,
        splits: (_, __, from, to) => [from + span / 2, to],
        values: () => ["30 s ago", "now"],
      },
      {
        ...axis,
        grid: { stroke: () => colour("--line"), width: 1 },
        size: 44,
        gap: 4,
        splits: (_, __, low, high) => [low, high / 2, high],
        values: (_, splits) => splits.map(format),
      },
    ],
    series: [{}, ...lines.map((_, i) => ({ stroke: () => colour(`--line-${i + 1}`), width: 1.75, points: { show: false } }))],
  };
}
