/** Properties in turns until the time is over, each at least once. A property that failed is out, the others go on. */
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { Test, type TestOpts, t as unused } from "tap";
import { NotHere, type Property, type Target } from "./property.js";
import { report } from "./report.js";
import { trySeed } from "./trial.js";
import { Watch } from "./watch.js";

unused.setTimeout(0); // tap's own, which counts from its import

export interface TurnsOptions {
	readonly seconds: number;
	/** Of each property's first case; the next ones follow it. */
	readonly seed: number;
	readonly print: (line: string) => void;
}

/** Of one turn, at most: with many properties and little time it is less. */
const turnSecondsMax = 5;
/** A large case is not small in a moment. */
const shrinkMsMax = 60_000;

/** @returns how many properties failed. */
export async function takeTurns(
	targets: ReadonlyMap<string, Target>,
	options: TurnsOptions,
): Promise<number> {
	const untilMs = performance.now() + options.seconds * 1000;
	const turnSeconds = Math.min(turnSecondsMax, options.seconds / targets.size);
	const watch = new Watch();
	const players = [...targets].map(
		([name, open]) => new Player(name, open, watch, options),
	);
	const timeLeftMs = () => untilMs - performance.now();
	const turnMs = () => Math.min(turnSeconds * 1000, timeLeftMs());
	// the first round is whole, however slow the machine: each property has a case
	for (const player of players) await player.play(turnMs());
	const playing = () => players.filter((it) => it.state === "playing");
	while (timeLeftMs() > 0 && playing().length > 0)
		for (const player of playing())
			if (timeLeftMs() > 0) await player.play(turnMs());
	for (const player of players) await player.leave();
	await watch.close();
	return players.filter((it) => it.state === "failed").length;
}

class Player {
	state: "playing" | "failed" | "not here" = "playing";
	readonly #name: string;
	readonly #open: Target;
	readonly #watch: Watch;
	readonly #options: TurnsOptions;
	/** What the property's server and folders hang on. */
	readonly #scope: Test;
	readonly #left: Promise<void>;
	#property: Property | undefined;
	#cases = 0;
	#seconds = 0;

	constructor(name: string, open: Target, watch: Watch, options: TurnsOptions) {
		this.#name = name;
		this.#open = open;
		this.#watch = watch;
		this.#options = options;
		this.#scope = new Test({ name } as TestOpts);
		const folder = name.replaceAll("/", "-");
		this.#scope.testdirName = resolve(
			`.tap/fixtures/fuzz-${process.pid}-${folder}`,
		);
		// the first that is asked for is the last that is done
		this.#left = new Promise((left) => this.#scope.teardown(left));
	}

	/** At least one case. */
	async play(ms: number): Promise<void> {
		const sinceMs = performance.now();
		this.#watch.name(this.#name);
		this.#property ??= await this.#opened();
		const turnMs = ms * (this.#property?.share ?? 1);
		while (this.#property && this.state === "playing") {
			await this.#tryNext(this.#property);
			if (performance.now() - sinceMs > turnMs) break;
		}
		this.#seconds += (performance.now() - sinceMs) / 1000;
	}

	async #opened(): Promise<Property | undefined> {
		try {
			const property = await this.#open(this.#scope);
			if (property.name === this.#name) return property;
			throw new Error(`it calls itself ${property.name}`);
		} catch (error) {
			this.state = error instanceof NotHere ? "not here" : "failed";
			this.#options.print(`${this.#name} can't be tried: ${error}`);
			return undefined;
		}
	}

	async #tryNext(property: Property): Promise<void> {
		const seed = (this.#options.seed + this.#cases++) >>> 0;
		this.#watch.begin(seed);
		const { failure } = await trySeed(property, seed);
		if (!failure) return;
		this.state = "failed";
		this.#options.print(await report(property, seed, failure, shrinkMsMax));
	}

	async leave(): Promise<void> {
		const verdict = this.state === "failed" ? "not ok" : "ok";
		const seconds = this.#seconds.toFixed(1);
		if (this.#cases > 0)
			this.#options.print(
				`${verdict} - ${this.#name}: ${this.#cases} cases in ${seconds} s`,
			);
		this.#scope.end();
		await this.#left;
		rmSync(this.#scope.testdirName, { recursive: true, force: true });
	}
}
