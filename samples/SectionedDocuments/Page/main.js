// Puts the parts together: the editor, the figures, and the connection that both depend on.

import { announcer } from "./announcer.js";
import { Charts } from "./charts.js";
import { DocumentView } from "./document-view.js";
import { listen } from "./figures-feed.js";
import { StallPanel } from "./stall-panel.js";

const announce = announcer(document.getElementById("announcements"));
const connection = document.getElementById("connection");
const editor = new DocumentView(announce);
const charts = new Charts(document.getElementById("chart-grid"));
const stall = new StallPanel();

function showConnection(state, text) {
  connection.dataset.state = state;
  connection.textContent = text;
}

listen({
  figures(figures) {
    charts.add(figures);
    stall.show(figures);
    editor.follow(figures.acknowledgedChanges);
    if (figures.stalled || figures.storeFailing) showConnection("waiting", figures.stalled ? "The store is stalled" : "The store is failing");
    else if (connection.dataset.state === "waiting") showConnection("connected", "Connected");
  },

  lost() {
    charts.interrupt();
    stall.interrupt();
    showConnection("offline", "No answer: connecting again");
    announce("The service doesn't answer.", true);
  },

  found({ again, restarted }) {
    const sent = again ? editor.resend() : 0;
    const news = restarted ? "The service was restarted" : again ? "Connected again" : "Connected";
    showConnection("connected", sent > 0 ? `${news}: unsaved text was sent again` : news);
    if (again) announce(connection.textContent, true);
  },
});
