/** What `GET /v1/logs` keeps of long lines. */
import t from "tap";
import { loggerTo } from "../../runtime/log/log.js";
import { LogTail } from "../../runtime/log/log-tail.js";

t.test("a long line stays JSON", async (t) => {
	const tail = new LogTail();
	const written: string[] = [];
	const log = loggerTo({ write: (it) => written.push(it) }, "info", tail);
	const cause = new Error("the disk is full");
	cause.stack = `Error: the disk is full\n${"    at somewhere\n".repeat(400)}`;
	log.warn({ err: new Error("not stored", { cause }) }, "try again");
	log.info({ ids: Array.from({ length: 1000 }, (_, at) => `n${at}`) }, "many");
	const kept = tail.after(0).map(({ line }) => line);
	t.ok(
		written.every((it) => it.length > 4000),
		"they are long",
	);
	t.ok(kept.every((it) => it.length <= 4000));
	t.match(
		kept.map((it) => JSON.parse(it)),
		[
			{
				level: "warn",
				msg: "try again",
				err: { message: /^not stored: the disk is full$/, stack: /^Error/ },
			},
			{ level: "info", msg: "many", time: /^20/ },
		],
	);
});
