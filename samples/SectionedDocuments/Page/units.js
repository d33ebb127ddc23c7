// Figures as people read them.

const digits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

export const plain = value => digits.format(value);
export const percent = value => `${Math.round(value * 100)} %`;
export const milliseconds = value => (value >= 1000 ? `${plain(value / 1000)} s` : `${plain(value)} ms`);
