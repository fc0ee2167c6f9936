/** The protocol on fixed seeds; scripts/fuzz wyoming tries others. */
import t from "tap";
import { holds } from "../fuzz/holds.js";
import { turnsAreAnswered } from "./protocol.property.js";

t.test("anything in any order", async (t) => {
	await holds(t, turnsAreAnswered(), 300);
});
