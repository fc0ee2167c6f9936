import { spawn } from "node:child_process";
import { once } from "node:events";
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

t.test("a failed start that is killed kills nothing else", async (t) => {
	const module = import.meta.resolve("../../runtime/process/worker-process.js");
	// in a new process, whose memory is still zero where the pid would be
	const code = `
		const { WorkerProcess } = await import(${JSON.stringify(module)});
		const listener = { onMessage() {}, onEnd() {} };
		const worker = new WorkerProcess({ file: "/no/such/program", args: [] }, listener);
		worker.kill();
		await worker.ended;
	`;
	const args = ["--input-type=module", "--eval", code];
	const child = spawn(process.execPath, args, {
		stdio: "inherit",
		detached: true, // a process group of its own, which is what would be killed
	});
	t.same(await once(child, "exit"), [0, null]);
});
