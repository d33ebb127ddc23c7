// Tells screen readers how far edits are saved, without a word for every key: what has passed by the time is not said.

const settled = 800;

export function announcer(region) {
  let timer;
  let said = "";
  return (message, urgent = false) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (message !== said) region.textContent = said = message;
    }, urgent ? 0 : settled);
  };
}
