/** A fake service manager: a real Unix datagram socket that records its messages, with sender and time. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { repository } from "../e2e/running-appliance.js";
import { eventually } from "../fixtures/eventually.js";
import { checkNothingLeaked } from "../secrets/leaks.js";

export interface Notice {
	readonly pid: number;
	readonly ms: number;
	/** `READY=1` and so on. */
	readonly lines: readonly string[];
}

export class NotifySocket {
	readonly notices: Notice[] = [];

	private constructor(
		readonly path: string,
		readonly process: ChildProcess,
	) {}

	static async open(): Promise<NotifySocket> {
		const folder = mkdtempSync(join(tmpdir(), "earshot-notify-"));
		const path = join(folder, "notify");
		const script = join(repository, "test/service/fixtures/notify_socket.py");
		const child = spawn("python3", [script, path], {
			stdio: ["ignore", "pipe", "inherit"],
		});
		child.on("exit", () => rmSync(folder, { recursive: true, force: true }));
		const it = new NotifySocket(path, child);
		await new Promise<void>((bound, failed) => {
			child.on("error", failed);
			createInterface({ input: child.stdout }).on("line", (line) => {
				const notice = JSON.parse(line);
				if (notice.bound) bound();
				else it.#receive(notice);
			});
		});
		return it;
	}

	#receive({ pid, ms, text }: { pid: number; ms: number; text: string }): void {
		this.notices.push({ pid, ms, lines: text.split("\n") });
	}

	/** How many messages have had this line so far. */
	count(line: string): number {
		return this.notices.filter((it) => it.lines.includes(line)).length;
	}

	/** The first message, from the given one on, with such a line. */
	async waitFor(line: RegExp, from = 0): Promise<Notice> {
		return eventually(
			`a notice of ${line}`,
			() =>
				this.notices
					.slice(from)
					.find((it) => it.lines.some((text) => line.test(text))),
			{ seen: () => this.notices.slice(from) },
		);
	}

	/** @throws Error if the messages contain more than their readers may know. */
	close(): void {
		this.process.kill("SIGKILL");
		const lines = this.notices.flatMap((it) => it.lines);
		checkNothingLeaked("the service manager's status", lines);
	}
}
