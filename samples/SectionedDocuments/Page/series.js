// The last minute of figures, as uPlot wants them: one array of times, and one for each line.

export const span = 60;

/** Seconds between two figures above which the time between them counts as unknown: they come four times a second. */
const longestStep = 1;

export class Series {
  times = [];
  #lines;

  constructor(lines) {
    this.#lines = new Map(lines.map(line => [line, []]));
  }

  /** @param {number} time in seconds */
  add(time, figures) {
    if (time - this.times.at(-1) > longestStep) this.interrupt(time);
    this.#push(time, figures);
    while (this.times[0] < time - span - 1) {
      this.times.shift();
      for (const values of this.#lines.values()) values.shift();
    }
  }

  /** Nothing is known of a time without figures: no line is drawn across it. */
  interrupt(time) {
    if (this.times.length > 0) this.#push(time, {});
  }

  /** uPlot ends a line at null; across undefined it draws on. */
  #push(time, figures) {
    this.times.push(time);
    for (const [line, values] of this.#lines) values.push(figures[line] ?? null);
  }

  of(lines) {
    return [this.times, ...lines.map(line => this.#lines.get(line))];
  }
}
