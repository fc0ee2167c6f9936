/**
 * One update from end to end: the offered release is checked, fetched, tested, put in place, and judged by the health of the server that runs it. A release
 * that was rolled back is remembered, so that the same file is not tried again every night.
 */
import { rm } from "node:fs/promises";
import { exists } from "../disk/whole-file.js";
import type { Attempt } from "./attempt.js";
import { examine } from "./candidate.js";
import { lockPlaces } from "./lock.js";
import type { PublicKey } from "./minisign.js";
import { type Offer, readOffer, type TakeOptions, take } from "./offer.js";
import { keepAs, type Places, sha256Of } from "./places.js";
import { agree, type Here, isNewer, releaseOf } from "./release.js";
import type { Restart } from "./restart.js";
import { type HealthWatch, serverOf, untilHealthy } from "./running-server.js";
import {
	accept,
	goBack,
	lastRefused,
	pendingAttempt,
	putInPlace,
} from "./swap.js";
import { UpdateError } from "./update-error.js";

/** Time for the previous version to become healthy again. */
const knownGoodSeconds = 60;

export interface UpdaterParts {
	readonly places: Places;
	readonly here: Here;
	readonly keys: readonly PublicKey[];
	readonly watch: HealthWatch;
	readonly restart: Restart;
	/** Prints one sentence at a time for the user. */
	readonly report: (text: string) => void;
}

export interface UpdateOptions extends TakeOptions {
	/** Accepts the same version and older ones as well. */
	readonly allowDowngrade?: boolean;
	/** Accepts the file that was rolled back last. */
	readonly again?: boolean;
}

export class Updater {
	readonly #parts: UpdaterParts;

	constructor(parts: UpdaterParts) {
		this.#parts = parts;
	}

	/** Reads the offered release, and whether it would be installed. @throws UpdateError */
	async check(location: string): Promise<{ offer: Offer; newer: boolean }> {
		const { keys, here } = this.#parts;
		const offer = await readOffer(location, keys);
		return { offer, newer: isNewer(offer.release, here) };
	}

	/** @returns false where there is nothing newer. @throws UpdateError; the previous version is then still running, or running again. */
	update(location: string, options: UpdateOptions = {}): Promise<boolean> {
		return this.#alone(async (pending) => {
			const { places, here, report } = this.#parts;
			if (pending) await this.#decide(pending);
			const { offer, newer } = await this.check(location);
			const { allowDowngrade = false } = options;
			if (!newer && !allowDowngrade) return false;
			await take(offer, places, options);
			try {
				const sha256 = await sha256Of(places.next);
				await this.#refuseAgain(sha256, options);
				const found = await examine(places);
				agree(offer.release, found);
				// without a version in the comment, only the file itself can tell
				if (!isNewer(found, here) && !allowDowngrade) return false;
				report(`${found.version} is verified and starts on this device`);
				await this.#try(found.version, sha256);
				return true;
			} finally {
				await rm(places.next, { force: true });
			}
		});
	}

	/** Installs the previous version in the same way: if it does not become healthy, this one is restored. @throws UpdateError */
	rollBack(): Promise<void> {
		return this.#alone(async (pending) => {
			const { places } = this.#parts;
			if (pending) return this.#takeBack(pending);
			if (!(await exists(places.previous)))
				throw new UpdateError("there is no previous version");
			await keepAs(places.previous, places.next);
			try {
				const { version } = await examine(places);
				await this.#try(version, await sha256Of(places.next));
			} finally {
				await rm(places.next, { force: true });
			}
		});
	}

	/** @param act gets the undecided update of an updater that was killed. */
	async #alone<T>(
		act: (pending: Attempt | undefined) => Promise<T>,
	): Promise<T> {
		const { places } = this.#parts;
		const release = await lockPlaces(places);
		try {
			return await act(await pendingAttempt(places));
		} finally {
			await release();
		}
	}

	/** @throws UpdateError unless the pending update is healthy. */
	async #decide(pending: Attempt): Promise<void> {
		const { places, restart, report } = this.#parts;
		report(`the update to ${pending.to} is not finished yet`);
		const isRunning = (await serverOf(places.program)) !== undefined;
		if (!isRunning && !(await restart()))
			throw new UpdateError(
				`${pending.to} is installed but was not started yet: start it, or run with --rollback`,
			);
		await this.#judge(pending);
	}

	async #refuseAgain(
		sha256: string,
		{ again = false }: UpdateOptions,
	): Promise<void> {
		const refused = await lastRefused(this.#parts.places);
		if (again || refused?.sha256 !== sha256) return;
		throw new UpdateError(
			`this file was tried and rolled back: ${refused.why} (--again tries it once more)`,
		);
	}

	async #try(to: string, sha256: string): Promise<void> {
		const { places, here, watch, restart, report } = this.#parts;
		const attempt: Attempt = {
			schema: 1,
			from: here.version,
			to,
			sha256,
			healthySeconds: watch.seconds,
			starts: 0,
		};
		await putInPlace(places, attempt);
		if (await restart().catch((error) => this.#undo(error)))
			await this.#judge(attempt);
		else
			report(
				`${to} is installed and is tried at the next start; ${here.version} is kept`,
			);
	}

	/** Judges by the health of the server that runs it. @throws UpdateError if it was rolled back. */
	async #judge(attempt: Attempt): Promise<void> {
		const { places, watch, report } = this.#parts;
		const { to, from, sha256 } = attempt;
		const trouble = await untilHealthy(places, watch, () => isDecided(places));
		if (trouble === undefined) {
			if ((await sha256Of(places.program)) === sha256) {
				await accept(places);
				report(`${to} is healthy; ${from} is kept`);
				return;
			}
			const why =
				(await lastRefused(places))?.why ?? "its start rolled it back";
			throw new UpdateError(
				`${to} was rolled back: ${why}; ${from} runs again`,
			);
		}
		throw await this.#takenBack(
			attempt,
			`it did not become healthy within ${watch.seconds} s (${trouble})`,
		);
	}

	/** Rolls back. @returns the error to report. */
	async #takenBack(attempt: Attempt, why: string): Promise<UpdateError> {
		const { places, watch, restart } = this.#parts;
		const { to, from } = attempt;
		await goBack(places, why);
		const seconds = Math.max(watch.seconds, knownGoodSeconds);
		const trouble = (await restart())
			? await untilHealthy(places, { ...watch, seconds })
			: "it was not started";
		return new UpdateError(
			`${to} was rolled back: ${why}; ${trouble === undefined ? `${from} runs again` : `${from} is installed again, and ${trouble}`}`,
		);
	}

	async #takeBack(pending: Attempt): Promise<void> {
		const { places, restart, report } = this.#parts;
		await goBack(places, "rolled back on request");
		await restart();
		report(`${pending.from} is installed again`);
	}

	async #undo(error: unknown): Promise<never> {
		await goBack(this.#parts.places, "it could not be started");
		throw error;
	}
}

/** Whether the start of the program has already decided. */
async function isDecided({ attempt }: Places): Promise<boolean> {
	return !(await exists(attempt));
}

/** The release in words, for the output of a check. */
export function described({ signature }: Offer): string {
	const { version, architecture } = releaseOf(signature.trustedComment);
	return `${version ?? "a version not named in its signature"}${architecture ? ` for ${architecture}` : ""}`;
}
