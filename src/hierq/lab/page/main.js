// @ts-check
/** Puts the page together. */

import { mountAgents } from "./agent_panel.js";
import { createApp, mountTabs } from "./app.js";
import { mountCredit } from "./credit_view.js";
import { mountCurves } from "./curves_panel.js";
import { Editing } from "./editing.js";
import { mountEditor } from "./editor.js";
import { mountNotices } from "./notices.js";
import { mountRun } from "./run_bar.js";
import { mountShare } from "./share.js";
import { keepToken, LabSocket } from "./socket.js";
import { fromFragment } from "./state.js";
import { mountTour } from "./tour.js";
import { Training } from "./training.js";
import { mountWorlds } from "./world_panel.js";

keepToken();
const { state, problem } = fromFragment(location.hash);
const socket = new LabSocket();
const app = createApp(state, socket);
app.training = new Training(app);
app.editing = new Editing(app);
const parts = [mountNotices, mountTabs, mountRun, mountWorlds, mountEditor, mountAgents, mountCurves, mountCredit, mountTour, mountShare];
for (const mount of parts) mount(app);

app.problem(problem);
// A link followed inside the page (a stop of the tour, a pasted address) changes only the fragment.
// Not location.hash: the former state may have been written into the address in the meantime.
addEventListener("hashchange", (event) => {
  const opened = fromFragment(new URL(event.newURL).hash);
  app.problem(opened.problem);
  if (opened.state.stop > 0 && state.stop === 0) app.beforeTour = structuredClone(state);
  app.training.adopt(opened.state);
});
/** For tests and the benchmark in a browser. */
Object.assign(globalThis, { hierqLab: app });
socket.connect();
