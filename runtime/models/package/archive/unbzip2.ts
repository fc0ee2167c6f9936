/**
 * bzip2 by the system's own program: Node has none, and what there is in JavaScript is ten times slower and not looked after any more. It reads from one
 * pipe and writes to another, takes some megabytes, and knows neither a file nor an option of the environment.
 */
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ArchiveFault } from "./archive-entry.js";

const stderrCharactersMax = 500;

/** @throws ArchiveFault where the bytes are no bzip2, were cut off, or the program is missing. */
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
	// a program that ends early says itself why
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
