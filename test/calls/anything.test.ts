import t from "tap";
import { holds } from "../fuzz/holds.js";
import {
	audioSocketsLeaveNothing,
	callsLeaveNothing,
} from "./anything.property.js";

t.test("anything in any order", async (t) => {
	await holds(t, callsLeaveNothing(), 100);
	await holds(t, audioSocketsLeaveNothing(), 200);
});
