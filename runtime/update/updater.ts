/**
 * One update from end to end: the offered release is checked, fetched, tested and installed (installer.ts). A release that was rolled back is remembered, so
 * that the same file is not tried again every night.
 */
import { rm } from "node:fs/promises";
import { exists } from "../disk/whole-file.js";
import type { Attempt } from "./attempt.js";
import { examine } from "./candidate.js";
import { Installer, type InstallerParts } from "./installer.js";
import { lockPlaces } from "./lock.js";
import type { PublicKey } from "./minisign.js";
import {
	idOf,
	type Offer,
	readOffer,
	type TakeOptions,
	take,
} from "./offer.js";
import { keepAs, sha256Of } from "./places.js";
import { agree, type Here, isNewer } from "./release.js";
import { serverOf } from "./running-server.js";
import { lastRefused, noteRefused, type Refused, settle } from "./swap.js";
import { UpdateError } from "./update-error.js";

export interface UpdaterParts extends InstallerParts {
	readonly here: Here;
	readonly keys: readonly PublicKey[];
}

export interface UpdateOptions extends TakeOptions {
	/** Accepts the same version and older ones as well. */
	readonly allowDowngrade?: boolean;
	/** Accepts the file that was rolled back last. */
	readonly again?: boolean;
}

export class Updater {
	readonly #parts: UpdaterParts;
	readonly #installer: Installer;

	constructor(parts: UpdaterParts) {
		this.#parts = parts;
		this.#installer = new Installer(parts);
	}

	/** Reads the offered release, whether it is newer, and whether it was tried and rolled back. @throws UpdateError */
	async check(
		location: string,
	): Promise<{ offer: Offer; newer: boolean; refused: Refused | undefined }> {
		const { keys, here, places } = this.#parts;
		const offer = await readOffer(location, keys);
		const last = await lastRefused(places);
		const isSame = last?.offer === idOf(offer.signature);
		return {
			offer,
			newer: isNewer(offer.release, here),
			refused: isSame ? last : undefined,
		};
	}

	/** @returns false where there is nothing newer. @throws UpdateError; the previous version is then still running, or running again. */
	update(location: string, options: UpdateOptions = {}): Promise<boolean> {
		return this.#alone(async (pending) => {
			const { places, here, report } = this.#parts;
			if (pending) await this.#decide(pending);
			const { offer, newer, refused } = await this.check(location);
			const { allowDowngrade = false, again = false } = options;
			if (!newer && !allowDowngrade) return false;
			if (refused && !again) throw refusal(refused);
			await take(offer, places, options);
			try {
				const sha256 = await sha256Of(places.next);
				const id = idOf(offer.signature);
				if (!again) await this.#refuseAgain(sha256, id);
				const found = await examine(places);
				agree(offer.release, found);
				// without a version in the comment, only the file itself can tell
				if (!isNewer(found, here) && !allowDowngrade) return false;
				report(`${found.version} is verified and starts on this device`);
				await this.#installer.try(this.#attempt(found.version, sha256, id));
				return true;
			} finally {
				await rm(places.next, { force: true });
			}
		});
	}

	/** Installs the previous version in the same way: if it does not become healthy, this one is restored. @throws UpdateError */
	rollBack(): Promise<void> {
		return this.#alone(async (pending) => {
			const { places, here } = this.#parts;
			if (pending) return this.#installer.takeBack(pending);
			if (!(await exists(places.previous)))
				throw new UpdateError("there is no previous version");
			const left = await sha256Of(places.program);
			// as an update leaves it that was cut before it was in place
			if ((await sha256Of(places.previous)) === left)
				throw new UpdateError(
					"there is no previous version: the one that is kept is this one",
				);
			await keepAs(places.previous, places.next);
			try {
				const before = await lastRefused(places);
				const found = await examine(places);
				// first, in case this process is killed: the next search for updates would install it again
				const why = "rolled back on request";
				const { version } = here;
				if (isNewer(here, found))
					await noteRefused(places, { version, sha256: left, why });
				const sha256 = await sha256Of(places.next);
				await this.#installer
					.try(this.#attempt(found.version, sha256))
					.catch((error) => this.#stays(left, before, error));
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
			return await act(await settle(places));
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
		await this.#installer.judge(pending);
	}

	/** For a note without the id: the next time it is refused before it is downloaded. */
	async #refuseAgain(sha256: string, offer: string): Promise<void> {
		const { places } = this.#parts;
		const refused = await lastRefused(places);
		if (refused?.sha256 !== sha256) return;
		await noteRefused(places, { ...refused, offer });
		throw refusal(refused);
	}

	/** The version that was to be left runs on: what was noted of it does not hold. */
	async #stays(
		sha256: string,
		before: Refused | undefined,
		error: Error,
	): Promise<never> {
		const { places } = this.#parts;
		if ((await lastRefused(places))?.sha256 === sha256)
			await (before
				? noteRefused(places, before)
				: rm(places.refused, { force: true }));
		throw error;
	}

	#attempt(to: string, sha256: string, offer?: string): Attempt {
		const { here, watch } = this.#parts;
		return {
			schema: 1,
			from: here.version,
			to,
			sha256,
			...(offer !== undefined && { offer }),
			healthySeconds: watch.seconds,
			starts: 0,
		};
	}
}

function refusal({ why }: Refused): UpdateError {
	return new UpdateError(
		`this file was tried and rolled back: ${why} (--again tries it once more)`,
	);
}
