// @ts-check
/** Puts the page together. */

import { mountAgents } from "./agent_panel.js";
import { createApp } from "./app.js";
import { mountCredit } from "./credit_view.js";
import { mountCurves } from "./curves_panel.js";
import { Editing } from "./editing.js";
import { mountEditor } from "./editor.js";
import { mountShare } from "./exports.js";
import { RENEW_EVERY, renewKey } from "./key.js";
import { mountLayers } from "./layers.js";
import { mountNotices } from "./notices.js";
import { mountRun } from "./run_bar.js";
import { mountScrubber } from "./scrubber.js";
import { LabSocket } from "./socket.js";
import { fromFragment } from "./state.js";
import { mountTabs } from "./tabs.js";
import { mountTour } from "./tour.js";
import { Training } from "./training.js";
import { mountWorlds } from "./world_panel.js";

const { state, problems } = fromFragment(location.hash);
const socket = new LabSocket();
const app = createApp(state, socket);
app.training = new Training(app);
app.editing = new Editing(app);

const parts = [
  mountNotices, mountTabs, mountEditor, mountWorlds, mountRun, mountScrubber,
  mountLayers, mountAgents, mountCurves, mountCredit, mountTour, mountShare,
];
for (const mount of parts) mount(app);

app.problem(problems.join(" "), "page");
// A link followed inside the page (a stop of the tour, a pasted address) changes only the fragment.
// Not location.hash: the former state may have been written into the address in the meantime.
addEventListener("hashchange", (event) => {
  const opened = fromFragment(new URL(event.newURL).hash);
  app.problem(opened.problems.join(" "), "page");
  app.training.adopt(opened.state);
});
/** For tests and the benchmark in a browser. */
Object.assign(globalThis, { hierqLab: app });
renewKey().then(() => socket.connect());
setInterval(renewKey, RENEW_EVERY);
