/** Questions in a terminal, answered by keys. */
import { PassThrough } from "node:stream";
import t from "tap";
import { confirmed } from "../../runtime/cli/consent.js";

function terminal() {
	const stream = new PassThrough();
	return Object.assign(stream, {
		isTTY: true,
		columns: 80,
		rows: 25,
		setRawMode: () => stream,
	});
}

t.test("only yes is yes; Ctrl-C and Ctrl-D are no", async (t) => {
	for (const [keys, expected] of [
		["y\r", true],
		["YES\r", true],
		["\r", false],
		["n\r", false],
		["\x03", false],
		["\x04", false],
	] as const) {
		const [stdin, stderr] = [terminal(), terminal()];
		const { stdin: ownStdin, stderr: ownStderr } = process;
		Object.defineProperty(process, "stdin", {
			value: stdin,
			configurable: true,
		});
		Object.defineProperty(process, "stderr", {
			value: stderr,
			configurable: true,
		});
		try {
			let shown = "";
			stderr.on("data", (text) => {
				const wasShown = shown.includes("[y/N]");
				shown += text;
				if (!wasShown && shown.includes("[y/N]")) stdin.write(keys);
			});
			t.equal(
				await confirmed("Do you accept that?"),
				expected,
				JSON.stringify(keys),
			);
		} finally {
			Object.defineProperty(process, "stdin", {
				value: ownStdin,
				configurable: true,
			});
			Object.defineProperty(process, "stderr", {
				value: ownStderr,
				configurable: true,
			});
		}
	}
});
