/** Files while no engine can be had. */
import { setTimeout as sleep } from "node:timers/promises";
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { noEngineMs } from "../../runtime/tasks/back-off.js";
import { eventually } from "../fixtures/eventually.js";
import { runningTasks } from "./running-tasks.js";

t.test(
	"a file that comes while the others wait for an engine waits, too",
	async (t) => {
		const triesMs: number[] = [];
		const { submit, tasks } = await runningTasks(t, {
			lane: {
				openJob: async () => {
					triesMs.push(performance.now());
					throw new CodedError("100004", "no engine");
				},
			},
		});
		await submit(["one"]);
		await eventually("a try", () => triesMs.length > 0);
		const second = await submit(["two"]);
		await eventually("its try", () => triesMs.length > 1);
		await sleep(200);
		// on a busy machine the pause may be over by now
		const [firstMs = 0, , ...more] = triesMs;
		t.same(
			more.filter((atMs) => atMs < firstMs + noEngineMs(0)),
			[],
			"the next try is after the pause",
		);
		await eventually(
			"it to wait",
			() => tasks.find(second)?.state === "queued",
		);
	},
);
