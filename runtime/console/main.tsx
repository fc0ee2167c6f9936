/** The console: the page of the device. Begins here. */
import { render } from "preact";
import { App } from "./app/app.js";
import { loadSession } from "./app/session.js";
import "./app/theme.js";

const root = document.getElementById("app");
if (root) render(<App />, root);
void loadSession().catch(() => {}); // the app tries again
