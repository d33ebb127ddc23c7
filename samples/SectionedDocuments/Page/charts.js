// Small charts of the last minute: one figure each, or two that belong together.

import { Chart, hasCharts } from "./chart.js";
import { Series } from "./series.js";
import { milliseconds, percent, plain } from "./units.js";

// "least" keeps a scale from magnifying what is next to nothing.
const charts = [
  { name: "Requests per second", format: plain, least: 10, lines: [{ of: "requestsPerSecond" }] },
  { name: "Latency", format: milliseconds, least: 10, lines: [{ of: "meanLatency", label: "mean " }, { of: "highLatency", label: "p99 " }] },
  { name: "Batching interval", format: milliseconds, least: 10, lines: [{ of: "interval" }] },
  { name: "Keys in a batch", format: plain, least: 2, lines: [{ of: "batchSize" }] },
  { name: "Collapsed edits", format: percent, least: 1, lines: [{ of: "collapsedShare" }] },
];

export class Charts {
  #series = new Series(charts.flatMap(chart => chart.lines.map(line => line.of)));
  #began = performance.now();

  constructor(grid) {
    document.getElementById("charts-absent").hidden = hasCharts;
    this.plots = charts.map(chart => new Chart(chart, grid, chart === charts.at(-1)));
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
