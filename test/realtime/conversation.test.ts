/** Sessions on fixed seeds; scripts/fuzz realtime tries others. */
import t from "tap";
import { holds } from "../fuzz/holds.js";
import { itemsAreAnswered } from "./conversation.property.js";

t.test("anything in any order", async (t) => {
	await holds(t, itemsAreAnswered(), 200);
});
