/** Word lists created, changed and removed concurrently, and opened again in between. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import type { Test } from "tap";
import { Database } from "../../runtime/store/database.js";
import { WordListRepository } from "../../runtime/store/word-lists.js";
import type { Property } from "../fuzz/property.js";
import { below, several } from "../fuzz/random.js";

/** Operations on one list; those of a round run concurrently. */
interface Step {
	readonly id: string;
	readonly entries: number;
	readonly creates: boolean;
	readonly changes: boolean;
	readonly removes: boolean;
}

interface Round {
	readonly steps: readonly Step[];
	readonly opensAgain: boolean;
}

export function listsAreOnTheDisk(t: Test): Property<readonly Round[]> {
	const folder = t.testdir();
	let cases = 0;
	return {
		name: "store/word-lists",
		promise: "the list of lists is what is on the disk, whatever happens",
		draw: (random) =>
			several(random, 15, () => ({
				steps: several(random, 6, () => ({
					id: `l${below(random, 8)}`,
					entries: below(random, 3),
					creates: random() >= 0.5,
					changes: random() >= 0.5,
					removes: random() >= 0.7,
				})),
				opensAgain: random() >= 0.9,
			})),
		async check(rounds) {
			const dir = `${folder}/${cases++}`;
			mkdirSync(dir);
			const lists = new Lists(`${dir}/store.mdb`);
			try {
				for (const { steps, opensAgain } of rounds) {
					await Promise.all(steps.map((it) => lists.take(it)));
					if (opensAgain) await lists.openAgain();
					lists.compare();
				}
			} finally {
				await lists.close();
			}
		},
	};
}

class Lists {
	readonly #file: string;
	#database: Database;
	#lists: WordListRepository;
	#seconds = 0;

	constructor(file: string) {
		this.#file = file;
		this.#database = Database.open(file);
		this.#lists = new WordListRepository(this.#database, "hotwords");
	}

	async take({ id, creates, changes, removes, ...step }: Step): Promise<void> {
		const entries = Array.from({ length: step.entries }, () => "w");
		const about = { id, name: "n", language: "en-US", entries };
		if (creates) await this.#lists.create(about, this.#seconds++);
		const change = async () => ({ entries });
		if (changes) await this.#lists.change(id, change, () => this.#seconds++);
		if (removes) await this.#lists.remove(id, () => {});
	}

	async openAgain(): Promise<void> {
		await this.close();
		this.#database = Database.open(this.#file);
		this.#lists = new WordListRepository(this.#database, "hotwords");
	}

	/** Compares with a freshly opened store. */
	compare(): void {
		const fresh = new WordListRepository(this.#database, "hotwords").list();
		assert.deepEqual(this.#lists.list(), fresh);
		for (const row of fresh)
			assert.deepEqual(this.#lists.read(row.id)?.row, row);
	}

	close(): Promise<void> {
		return this.#database.close();
	}
}
