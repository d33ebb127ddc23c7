// The service's figures as they come, and whether it is there at all.

/** Milliseconds without figures after which the connection counts as lost: they come four times a second. */
const silence = 5000;

/** @param {{figures(figures: object): void, lost(): void, found(how: {again: boolean, restarted: boolean}): void}} listener */
export function listen(listener) {
  let source;
  let service = null;
  let connected = null;
  let watch;

  function connect() {
    source?.close();
    source = new EventSource("/events");
    watch = setTimeout(lose, silence);
    source.onmessage = message => {
      clearTimeout(watch);
      watch = setTimeout(lose, silence);
      const figures = JSON.parse(message.data);
      if (!connected) listener.found({ again: connected !== null, restarted: service !== null && service !== figures.service });
      connected = true;
      service = figures.service;
      listener.figures(figures);
    };
    source.onerror = () => lose();
  }

  function lose() {
    clearTimeout(watch);
    if (connected !== false) listener.lost();
    connected = false;
    // The browser itself gives up for good after an answer such as 503: begin anew, whatever it thinks.
    source.close();
    watch = setTimeout(connect, 1000);
  }

  connect();
}
