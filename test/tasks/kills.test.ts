import t from "tap";
import { holds } from "../fuzz/holds.js";
import { killsLoseNothing } from "./kills.property.js";

t.setTimeout(300_000); // of the whole file, on a machine that is busy with other tests
await holds(t, killsLoseNothing(), 1);
