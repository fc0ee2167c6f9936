/**
 * Decompresses bzip2 with the system's program: Node has no bzip2, and the JavaScript implementations are ten times slower and unmaintained. The program
 * reads from one pipe and writes to another, uses a few megabytes, and gets neither files nor options from the environment.
 */
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ArchiveFault } from "./archive-entry.js";

const stderrCharactersMax = 500;

/** @throws ArchiveFault where the bytes are not bzip2, are truncated, or the program is missing. */
export async function* unbzip2(
	compressed: Readable,
): AsyncGenerator<Uint8Array> {
	const child = spawn("bzip2", ["-d", "-c"], {
		env: { PATH: process.env.PATH, LC_ALL: "C" },
		stdio: ["pipe", "pipe", "pipe"],
	});
	const ended = new Promise<string | undefined>((resolve) => {
		child.once("error", (error: NodeJS.ErrnoException) =>
			resolve(
				error.code === "ENOENT"
					? "bzip2 is not installed here (apt install bzip2)"
					: error.message,
			),
		);
		let stderrText = "";
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			stderrText = (stderrText + text).slice(0, stderrCharactersMax);
		});
		child.once("close", (code) =>
			resolve(
				code === 0 ? undefined : (stderrText.trim().split("\n")[0] ?? ""),
			),
		);
	});
	// if the program ends early, its own message has the reason
	const fed = pipeline(compressed, child.stdin).catch((error: Error) => error);
	try {
		yield* child.stdout;
		const why = await ended;
		if (why !== undefined) throw new ArchiveFault(why || "bzip2 failed");
		const broken = await fed;
		if (broken) throw broken;
	} finally {
		child.kill("SIGKILL");
		compressed.destroy();
	}
}
