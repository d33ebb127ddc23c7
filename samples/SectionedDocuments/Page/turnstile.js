// Lets a few requests out at a time. Browsers open six connections to a service, all tabs together: a stalled store must not
// take them all, or the request that ends the stall could not leave.

const room = 3;
let outside = 0;
const waiting = [];

/** Runs an asynchronous action when there is room for it, in the order of asking. */
export async function throughTurnstile(action) {
  if (outside < room) outside++;
  else await new Promise(resolve => waiting.push(resolve));
  try {
    return await action();
  } finally {
    const next = waiting.shift();
    if (next) next(); // our place is the next one's
    else outside--;
  }
}
