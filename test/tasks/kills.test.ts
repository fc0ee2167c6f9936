import t from "tap";
import { holds } from "../fuzz/holds.js";
import { killsLoseNothing } from "./kills.property.js";

await holds(t, killsLoseNothing(), 1);
