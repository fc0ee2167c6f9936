/** Files while no engine can be had. */
import { setTimeout as sleep } from "node:timers/promises";
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { eventually } from "../fixtures/eventually.js";
import { runningTasks } from "./running-tasks.js";

t.test(
	"a file that comes while the others wait for an engine waits, too",
	async (t) => {
		let tries = 0;
		const { submit, tasks } = await runningTasks(t, {
			lane: {
				openJob: async () => {
					tries++;
					throw new CodedError("100004", "no engine");
				},
			},
		});
		await submit(["one"]);
		await eventually("a try", () => tries === 1);
		const second = await submit(["two"]);
		await eventually("its try", () => tries === 2);
		await sleep(200);
		t.equal(tries, 2, "the next try is after the pause");
		t.equal(tasks.find(second)?.state, "queued");
	},
);
