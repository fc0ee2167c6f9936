/** The protocol on fixed seeds; scripts/fuzz vosk tries others. */
import t from "tap";
import { holds } from "../fuzz/holds.js";
import { messagesAreAnswered } from "./protocol.property.js";

t.test("anything in any order", async (t) => {
	await holds(t, messagesAreAnswered(), 300);
});
