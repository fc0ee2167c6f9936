import t from "tap";
import { holds } from "../fuzz/holds.js";
import { transcriptsAreWhole } from "./transcripts.property.js";

await holds(t, transcriptsAreWhole(), 150);
