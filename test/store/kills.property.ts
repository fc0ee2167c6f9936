/** kill -9 of a process that changes word lists, after any number of acknowledged changes. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Property } from "../fuzz/property.js";
import { below } from "../fuzz/random.js";
import { startFixture } from "./children.js";

const listIds = ["a", "b", "c"];
/** A list is removed after its fortieth word, and created again. */
const wordsMax = 40;

interface Kill {
	/** Changes acknowledged before. */
	readonly changes: number;
	readonly thenMs: number;
}

export const killsLoseNoChange = (): Property<readonly Kill[]> => ({
	name: "store/kills",
	promise: "kill -9 at any moment loses no acknowledged change",
	share: 0.5,
	draw: (random) =>
		Array.from({ length: 1 + below(random, 12) }, () => ({
			changes: below(random, 50),
			thenMs: below(random, 6),
		})),
	async check(kills) {
		const folder = mkdtempSync(join(tmpdir(), "earshot-kills-"));
		try {
			const file = join(folder, "store.mdb");
			const acknowledged: Acknowledged = new Map();
			for (const kill of kills) await killOnce(file, kill, acknowledged);
			await killOnce(file, { changes: 0, thenMs: 0 }, acknowledged);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
});

/** The last acknowledged state of each list: number of entries, or -1 for none. */
type Acknowledged = Map<string, number>;

/** Checks the state after the previous kill, and continues until this one. */
async function killOnce(
	file: string,
	{ changes, thenMs }: Kill,
	acknowledged: Acknowledged,
): Promise<void> {
	const child = startFixture("write-lists", file);
	let text = "";
	const isThere = new Promise<void>((enough) =>
		child.stdout?.on("data", (bytes: Buffer) => {
			text += bytes.toString();
			if (text.split("\n").length > changes + 1) enough();
		}),
	);
	const ended = once(child, "close");
	await Promise.race([isThere, ended]);
	await pause(thenMs);
	child.kill("SIGKILL");
	await ended;
	const [first = "", ...lines] = text.split("\n").slice(0, -1);
	compare(JSON.parse(first), acknowledged);
	for (const line of lines) {
		const [id = "", what = ""] = line.split(" ");
		acknowledged.set(id, what === "gone" ? -1 : Number(what) + 1);
	}
}

/** The current state counts from here on. */
function compare(
	found: readonly (readonly [string, number, readonly string[]])[],
	acknowledged: Acknowledged,
): void {
	const held = new Map<string, number>();
	for (const [id, amount, entries] of found) {
		const words = Array.from({ length: amount }, (_, index) => `${index}`);
		assert.deepEqual(entries, words, "list and entries are of one change");
		held.set(id, amount);
	}
	for (const [id, last] of acknowledged) {
		const amount = held.get(id) ?? -1;
		assert.ok(
			possibleAfter(last).includes(amount),
			`${id} has ${amount} after ${last} was acknowledged`,
		);
	}
	for (const id of listIds) acknowledged.set(id, held.get(id) ?? -1);
}

/** The next change may have been made as well. */
function possibleAfter(last: number): readonly number[] {
	if (last === -1) return [-1, 0, 1];
	return last === wordsMax ? [wordsMax, -1] : [last, last + 1];
}
