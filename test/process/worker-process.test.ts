import t from "tap";
import { WorkerProcess } from "../../runtime/process/worker-process.js";

t.test(
	"a process that can't be started has ended, however that is reported",
	async (t) => {
		const tooLong = "x".repeat(2 ** 21); // E2BIG is thrown by spawn
		for (const [file, argument, code] of [
			["/no/such/program", "", "ENOENT"],
			[process.execPath, tooLong, "E2BIG"],
		] as const) {
			const ends: { reason: string; cause: Error | undefined }[] = [];
			const worker = new WorkerProcess<never, { is: "stop" }>(
				{ file, args: [argument] },
				{
					onMessage: () => t.fail("nothing runs"),
					onEnd: (reason, cause) => ends.push({ reason, cause }),
				},
			);
			worker.send({ is: "stop" });
			worker.kill();
			t.match(await worker.ended, new RegExp(`can't be started: .*${code}`));
			t.equal(worker.pid, undefined);
			t.ok(worker.hasEnded);
			t.match(ends, [{ cause: { code } }]);
			t.equal(ends.length, 1);
			await worker.stop({ is: "stop" }, 1000, "late");
		}
	},
);
