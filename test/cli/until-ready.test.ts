/** What a terminal shows between a server's start and its first recognition. */
import t from "tap";
import type { StartState } from "../../runtime/appliance.js";
import { untilReady } from "../../runtime/cli/until-ready.js";

const cases: readonly {
	readonly name: string;
	readonly states: readonly (StartState | Error)[];
	readonly shown: readonly string[];
}[] = [
	{ name: "a quick start", states: ["ready"], shown: ["ready"] },
	{
		name: "a slow device",
		states: ["loading", "loading", "ready"],
		shown: ["still loading the model", "ready"],
	},
	{
		name: "an engine that dies, and lives with the next try",
		states: [
			"loading",
			new Error("no memory"),
			new Error("no memory"),
			"loading",
			"ready",
		],
		shown: [
			"still loading the model",
			"not ready: no memory; see the log",
			"still loading the model",
			"ready",
		],
	},
	{
		name: "a server that was stopped meanwhile says nothing",
		states: ["loading", "stopped", "ready"],
		shown: ["still loading the model", "ready"],
	},
];

for (const { name, states, shown } of cases)
	t.test(name, async (t) => {
		const left = [...states];
		const lines: string[] = [];
		await untilReady(
			async () => {
				const state = left.shift();
				if (state instanceof Error) throw state;
				return state ?? "ready";
			},
			(text) => lines.push(text),
			0,
		);
		t.strictSame(lines, shown);
		t.same(left, []);
	});
