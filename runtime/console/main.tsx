/** The console: the page of the device. Begins here. */
import { render } from "preact";
import { App } from "./app/app.js";
import "./app/dropped-beside.js";
import { loadSession } from "./app/session.js";
import { loadPage } from "./app/shell.js";
import "./app/theme.js";

const root = document.getElementById("app");
if (root) render(<App />, root);
loadPage(); // beside the session: the one does not wait for the other
void loadSession().catch(() => {}); // the app tries again
