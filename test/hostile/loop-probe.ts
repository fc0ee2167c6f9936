/** The event loop of a process that somebody else runs (fixtures/watched.ts), and what is promised of it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";

/** What is promised to everybody else (docs/security.md): nobody waits longer for what one client has sent. */
export const turnMsMax = 50;
/** What holds the loop does so each time; a collection of garbage, or code that is compiled for the first time, does not. */
const attempts = 3;
/** Our own fault, whatever was sent. */
const faults: ReadonlySet<string | undefined> = new Set([
	"100003",
	"230004",
	"internal_error", // either, in OpenAI's shape
]);

export class LoopProbe {
	readonly #socket: Socket;

	/** @param folder that the process was told. @param verb of the command line. */
	static async of(folder: string, verb: string): Promise<LoopProbe> {
		const socket = connect(join(folder, verb));
		await once(socket, "connect");
		return new LoopProbe(socket);
	}

	private constructor(socket: Socket) {
		this.#socket = socket;
		socket.on("error", () => {}); // the process is gone
	}

	/** Processor milliseconds of the longest turn since the last question. */
	async longestTurnMs(): Promise<number> {
		this.#socket.write("?");
		const [answer] = await once(this.#socket, "data");
		return Number(answer);
	}

	/**
	 * @param act done again where it seems to hold the loop.
	 * @returns the status that it ended with.
	 * @throws AssertionError where it does each time, or the answer is that something broke.
	 */
	async bounded(
		what: string,
		act: () => Promise<string | undefined>,
		msMax = turnMsMax,
	): Promise<string | undefined> {
		let leastMs = Number.POSITIVE_INFINITY;
		for (let attempt = 0; attempt < attempts; attempt++) {
			await this.longestTurnMs();
			const status = await act();
			leastMs = Math.min(leastMs, await this.longestTurnMs());
			assert.ok(!faults.has(status), `${what}: answered ${status}`);
			if (leastMs <= msMax) return status;
		}
		const shownMs = Math.round(leastMs);
		return assert.fail(`${what}: the event loop is held for ${shownMs} ms`);
	}

	/** Whether several together do neither. */
	async areBounded(
		acts: readonly (() => Promise<string | undefined>)[],
	): Promise<boolean> {
		await this.longestTurnMs();
		const statuses = await Promise.all(acts.map((act) => act()));
		const isHeld = (await this.longestTurnMs()) > turnMsMax;
		return !isHeld && !statuses.some((it) => faults.has(it));
	}

	close(): void {
		this.#socket.destroy();
	}
}
