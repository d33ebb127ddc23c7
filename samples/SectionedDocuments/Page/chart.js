// How one figure, or two that belong together, are drawn.

import uPlot from "./uPlot.js";
import { span } from "./series.js";

/** Whether the program was built with uPlot. Without it there are the figures as they are now, and no charts. */
export const hasCharts = uPlot !== null;

const plotHeight = 64;
const axisHeight = 18;
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name);

/** One chart, beside its name and its values as they are now. */
export class Chart {
  /** @param {boolean} last whether it is the lowest: one axis of time serves them all */
  constructor(chart, grid, last) {
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
    if (!hasCharts) {
      this.place.remove();
      return;
    }
    const options = optionsOf(chart, last, this.place.clientWidth);
    this.plot = new uPlot(options, [[], ...chart.lines.map(() => [])], this.place);
    new ResizeObserver(() => this.plot.setSize({ width: this.place.clientWidth, height: options.height })).observe(this.place);
  }

  show(series, figures) {
    const { lines, name, format } = this.chart;
    this.plot?.setData(series.of(lines.map(line => line.of)));
    lines.forEach(({ of, label = "" }, i) => (this.values[i].textContent = label + (figures[of] === null ? "–" : format(figures[of]))));
    this.place.setAttribute("aria-label", `${name}, over the last minute. Now: ${this.values.map(value => value.textContent).join(", ")}`);
  }

  interrupt() {
    for (const value of this.values) value.textContent = "–";
  }

  redraw() {
    this.plot?.redraw();
  }
}

/** To a number whose half is a plain one too: a scale then moves seldom, and reads easily. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 4, 6, 8, 10].find(step => step * power >= value);
}

function optionsOf({ lines, least, format }, last, width) {
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
