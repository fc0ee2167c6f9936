/** The task server of fixtures/task-server.ts, as a process that can be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { eventually } from "../fixtures/eventually.js";

const program = fileURLToPath(
	new URL("fixtures/task-server.js", import.meta.url),
);

export class TaskServer {
	readonly #child: ChildProcess;
	readonly ended: Promise<unknown>;
	enginePid: number | undefined;
	printed: string[] = [];

	constructor(dir: string, url: string, onOk: (id: string) => void) {
		this.#child = spawn(process.execPath, [program, dir, url], {
			stdio: ["pipe", "pipe", "inherit"],
		});
		this.ended = once(this.#child, "close");
		this.#child.stdin?.on("error", () => {}); // killed
		const lines = this.#child.stdout && { input: this.#child.stdout };
		if (lines)
			createInterface(lines).on("line", (line) => {
				const [word, value = ""] = line.split(" ");
				this.printed.push(line);
				if (word === "ok") onOk(value);
				if (word === "engine") this.enginePid = Number(value);
			});
	}

	/** Waits for a line that begins with this. */
	async untilPrinted(word: string): Promise<void> {
		const line = await eventually(
			`the server to print "${word}"`,
			() =>
				this.printed.find((it) => it.startsWith(word)) ??
				(this.#child.exitCode === null ? undefined : "ended"),
			{ seen: () => this.printed },
		);
		if (line === "ended") throw new Error("the server ended");
	}

	submit(id: string, sentences: readonly string[]): void {
		this.#child.stdin?.write(
			`${JSON.stringify({ id, sentences, msEach: 10 })}\n`,
		);
	}

	kill(): void {
		this.#child.kill("SIGKILL");
	}

	killEngine(): void {
		try {
			if (this.enginePid) process.kill(this.enginePid, "SIGKILL");
		} catch {
			// it died before
		}
		this.enginePid = undefined;
	}
}
