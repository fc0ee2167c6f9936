/** File tasks are counted from their submission to their end, beside the recognitions that hold a list. */
import t from "tap";
import { usesOf } from "../../runtime/word-lists/uses.js";
import { ListUsage } from "../../runtime/words/list-usage.js";

t.test("tasks are counted while they hold a list", async (t) => {
	const usage = new ListUsage();
	const list = { key: "hotwords/h@1", entries: ["earshot"] };
	const row = { id: "h", language: "en-US" };
	const uses = () => usesOf("hotwords", [row], usage, []);
	const recognized = usage.hold([list]);
	const waiting = [usage.hold([list], "task"), usage.hold([list], "task")];
	t.match(uses(), [{ isHeld: true, tasks: 2 }]);
	recognized();
	waiting[0]?.();
	waiting[0]?.();
	t.match(uses(), [{ isHeld: true, tasks: 1 }]);
	waiting[1]?.();
	t.same(uses(), []);
});
