/** File tasks are counted from their submission to their end, beside the recognitions that hold a list. */
import t from "tap";
import { usesOf } from "../../runtime/word-lists/uses.js";
import { ListUsage } from "../../runtime/words/list-usage.js";

t.test("tasks are counted while they hold a list", async (t) => {
	const usage = new ListUsage();
	const list = { key: "hotwords/h@1", entries: ["earshot"] };
	const row = { id: "h", language: "en-US" };
	const uses = () =>
		usesOf("hotwords", [row], usage, { microphones: [], endpoints: {} });
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

t.test("lists that endpoints.* names are used", async (t) => {
	const rows = ["one", "two"].map((id) => ({ id, language: "ja-JP" }));
	const uses = (ids: string) => {
		const endpoints = { correctionWordsId: ids, hotwordsId: "two" };
		const configured = { microphones: [], endpoints };
		return usesOf("correction-words", rows, new ListUsage(), configured);
	};
	t.match(uses("one|three"), [{ id: "one", isOfEndpoints: true }]);
	t.equal(uses("one|three").length, 1);
	t.equal(uses("all").length, 2);
});
