// Tells screen readers how far edits are saved, without a word for every key: what has passed by the time is not said.

const settled = 800;

export function announcer(region) {
  let timer;
  const say = message => (region.textContent = message);
  return (message, urgent = false) => {
    clearTimeout(timer);
    if (urgent) say(message);
    else timer = setTimeout(say, settled, message);
  };
}
