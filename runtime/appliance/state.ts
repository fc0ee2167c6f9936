/** The appliance's state on the disk: the store, the audio beside it, and the clock for the ages of both. */
import { join } from "node:path";
import type { ApplianceClock } from "../clock/appliance-clock.js";
import type { Config } from "../config/schema.js";
import { bytesPerMegabyte } from "../config/sections/files.js";
import type { Logger } from "../log/log.js";
import { AudioShelf } from "../store/audio-shelf.js";
import type { StoreProgress } from "../store/damage-check.js";
import { Housekeeping } from "../store/housekeeping.js";
import { openStore, type Store } from "../store/open-store.js";
import { lastWrittenSeconds } from "../store/state-files.js";
import { openClock } from "./clock.js";

export interface StateParts {
	readonly config: Config;
	readonly log: Logger;
	/** Progress of checking or restoring the store. */
	readonly onProgress?: (progress: StoreProgress) => void;
	/** A failure that this process can't recover from: it should exit and be restarted. */
	readonly onFatal: (error: Error) => void;
}

export interface State {
	readonly store: Store;
	readonly shelf: AudioShelf;
	readonly clock: ApplianceClock;
}

/** @throws StoreError with a message of one sentence. */
export async function openState(parts: StateParts): Promise<State> {
	const { config, log, onFatal, onProgress } = parts;
	const { state, limits, files } = config;
	const reserveBytes = files.disk_reserve_megabytes * bytesPerMegabyte;
	const writtenBefore = lastWrittenSeconds(state.dir);
	const store = await openStore({
		dir: state.dir,
		as: "serve",
		onStuck: onFatal,
		lists: {
			listsPerOwnerMax: limits.lists_per_owner_max,
			bytesMax: limits.lists_megabytes_max * bytesPerMegabyte,
			reserveBytes,
		},
		...(onProgress && { onProgress }),
	});
	if (store.repaired) log.error(store.repaired, "the database was damaged");
	logOwnerKinds(store, log);
	try {
		const shelf = await AudioShelf.open(join(state.dir, "audio"), {
			bytesMax: files.audio_megabytes_max * bytesPerMegabyte,
			reserveBytes,
		});
		const clock = await openClock(store, writtenBefore, log);
		return { store, shelf, clock };
	} catch (error) {
		await store.close();
		throw error;
	}
}

export function openHousekeeping(
	{ store, clock }: State,
	{ state, files }: Config,
	log: Logger,
): Housekeeping {
	return new Housekeeping({
		store,
		clock,
		dir: state.dir,
		reserveBytes: files.disk_reserve_megabytes * bytesPerMegabyte,
		onSkipped: ({ trouble, message }) =>
			log[trouble === "full" ? "warn" : "error"](
				{ why: message },
				"backup skipped, retrying in an hour",
			),
		onError: (error) =>
			log.error({ err: error }, "housekeeping failed, retrying in an hour"),
	});
}

/** Once after an update; docs/files.md describes the owners of older records. */
function logOwnerKinds({ ownerKindsAdded: added }: Store, log: Logger): void {
	if (!added || added.rows === 0) return;
	log.info(
		{ rows: added.rows },
		"added owner kinds to records of an older version",
	);
	if (added.unclear > 0)
		log.warn(
			{ rows: added.unclear },
			"records whose owner name belongs to both a token and an application are visible to admin tokens only",
		);
}
