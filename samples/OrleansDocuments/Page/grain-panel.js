// Where the grain of the open document lives. The panel stands beside the document, above the shared panels.

const period = 1000;
const patience = 5000;

document.querySelector("aside").insertAdjacentHTML("afterbegin", `
  <section id="grain" aria-labelledby="grain-title">
    <h2 id="grain-title">Where this document lives</h2>
    <dl>
      <div class="wide"><dt>Silo</dt><dd id="grain-silo">–</dd></div>
      <div><dt>Epoch</dt><dd id="grain-epoch">–</dd></div>
      <div><dt>Moves</dt><dd id="grain-moves">–</dd></div>
      <div><dt>Fencings</dt><dd id="grain-fencings">–</dd></div>
    </dl>
    <p class="note">
      Each activation claims the document with a higher epoch. From then on, the store refuses the writes of any former activation.
      <span id="grain-asked"></span> <a id="grain-dashboard" hidden>Orleans’ dashboard</a>
    </p>
  </section>`);

const element = name => document.getElementById(`grain-${name}`);
const figures = ["silo", "epoch", "moves", "fencings"];
const openDocument = () => document.getElementById("document-name").textContent;
let clock;

async function refresh() {
  clearTimeout(clock);
  const id = openDocument();
  if (id && !document.hidden) {
    const place = await locate(id);
    if (id !== openDocument()) return; // another document was opened, and is asked for already
    show(place);
  }

  clock = setTimeout(refresh, period);
}

/** The place of a document's grain; null while the service does not tell. */
async function locate(id) {
  try {
    const response = await fetch(`/grains/${encodeURIComponent(id)}`, { signal: AbortSignal.timeout(patience) });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

function show(place) {
  for (const name of figures) element(name).textContent = place?.[name] ?? "–";
  element("asked").textContent = place ? `This page comes from ${place.silo === place.askedSilo ? "the same silo" : place.askedSilo}.` : "";
  element("dashboard").hidden = !place?.dashboard;
  if (place?.dashboard) element("dashboard").href = place.dashboard;
}

addEventListener("hashchange", refresh);
document.addEventListener("visibilitychange", refresh);
refresh();
