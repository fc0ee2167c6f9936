/** Puts a verified program in place, restarts the server, and judges the new version by its server's health; where it is not healthy, the previous one is restored. */
import { setTimeout as sleep } from "node:timers/promises";
import { exists } from "../disk/whole-file.js";
import type { Attempt } from "./attempt.js";
import { type Places, sha256Of } from "./places.js";
import type { Restart } from "./restart.js";
import {
	checkEveryMs,
	checks,
	type HealthWatch,
	isServerOf,
	listensAt,
	serverOf,
	serversOf,
	untilHealthy,
} from "./running-server.js";
import { accept, goBack, lastRefused, putInPlace } from "./swap.js";
import { UpdateError } from "./update-error.js";

/** Time for the previous version to become healthy again. */
const knownGoodSeconds = 60;

export interface InstallerParts {
	readonly places: Places;
	readonly watch: HealthWatch;
	readonly restart: Restart;
	/** Prints one sentence at a time for the user. */
	readonly report: (text: string) => void;
}

export class Installer {
	readonly #parts: InstallerParts;

	constructor(parts: InstallerParts) {
		this.#parts = parts;
	}

	/** Tries the verified program at `places.next`. @throws UpdateError; the previous version is then still running, or running again. */
	async try(attempt: Attempt): Promise<void> {
		const { places, restart, report } = this.#parts;
		const before = await serversOf(places.program);
		await putInPlace(places, attempt);
		let failure: string | undefined;
		const isRestarted = await restart().catch((error: Error) => {
			failure = error.message;
			return true;
		});
		if (failure !== undefined && (await this.#isUntouched(before))) {
			await goBack(places, undefined);
			throw new UpdateError(
				`${failure}; ${attempt.to} is not installed, ${attempt.from} stays`,
			);
		}
		if (isRestarted) return this.judge(attempt, failure);
		report(
			`${attempt.to} is installed and is tried at the next start; ${attempt.from} is kept`,
		);
	}

	/**
	 * Judges by the health of the server that runs it.
	 * @param failure of the command that restarts it, which is not decisive: such commands give up before a busy server has ended.
	 * @throws UpdateError if it was rolled back.
	 */
	async judge(attempt: Attempt, failure?: string): Promise<void> {
		const { places, watch, report } = this.#parts;
		const { to, from, sha256 } = attempt;
		const trouble = await untilHealthy(places, watch, () => isDecided(places));
		if (trouble === undefined) {
			if ((await sha256Of(places.program)) === sha256) {
				await accept(places);
				report(
					to === from
						? `${to} is healthy`
						: `${to} is healthy; ${from} is kept`,
				);
				return;
			}
			const why =
				(await lastRefused(places))?.why ?? "its start rolled it back";
			throw new UpdateError(
				`${to} was rolled back: ${why}; ${from} runs again`,
			);
		}
		throw await this.#rolledBack(
			attempt,
			`it did not become healthy within ${watch.seconds} s (${failure ?? trouble})`,
		);
	}

	/** Restores the previous version on request. */
	async takeBack({ from }: Attempt): Promise<void> {
		const { places, restart, report } = this.#parts;
		await goBack(places, "rolled back on request");
		report(`${from} is installed again`);
		await restart();
	}

	/** Whether a failed command did nothing: the servers of before run on, and none runs the new version. */
	async #isUntouched(before: readonly number[]): Promise<boolean> {
		const { places, watch } = this.#parts;
		const { url, signal } = watch;
		for (let check = 0; check < checks; check++) {
			if ((await serverOf(places.program)) !== undefined) return false;
			for (const pid of before)
				if (!(await isServerOf(places.previous, pid))) return false;
			if (before.length > 0 && !(await listensAt(url))) return false;
			await sleep(checkEveryMs, undefined, { signal }).catch(() => {});
		}
		return true;
	}

	/** @returns the error to report. */
	async #rolledBack(attempt: Attempt, why: string): Promise<UpdateError> {
		const { places, watch, restart } = this.#parts;
		const { to, from } = attempt;
		await goBack(places, why);
		// the version on trial may take its time to end as well
		const { drainSeconds = 0 } = watch;
		const seconds = Math.max(watch.seconds, knownGoodSeconds) + drainSeconds;
		// where the command fails, a supervisor may start it all the same
		const trouble = (await restart().catch(() => true))
			? await untilHealthy(places, { ...watch, seconds })
			: "it was not started";
		return new UpdateError(
			`${to} was rolled back: ${why}; ${trouble === undefined ? `${from} runs again` : `${from} is installed again, and ${trouble}`}`,
		);
	}
}

/** Whether the start of the program has already decided. */
async function isDecided({ attempt }: Places): Promise<boolean> {
	return !(await exists(attempt));
}
