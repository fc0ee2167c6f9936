/** How updates of this program stand, for whoever looks at the device: what is on trial, what was rolled back, and whether another version is offered. */
import { stat } from "node:fs/promises";
import { compare, valid } from "semver";
import { exists } from "../disk/whole-file.js";
import { readAttempt } from "./attempt.js";
import type { PublicKey } from "./minisign.js";
import { type Offer, readOffer } from "./offer.js";
import type { Places } from "./places.js";
import { type Here, isNewer } from "./release.js";
import { readNotes } from "./release-notes.js";
import { lastRefused } from "./swap.js";
import { UpdateError } from "./update-error.js";

export interface UpdateState {
	/** The version before this one is kept: `earshot update --rollback`. */
	readonly hasPrevious: boolean;
	readonly trial: { readonly from: string; readonly to: string } | undefined;
	/** The last update that was rolled back, unless this version is as new. */
	readonly refused:
		| {
				readonly version: string;
				readonly why: string;
				/** Unix time in seconds, by the clock of that moment. */
				readonly atSeconds: number;
		  }
		| undefined;
}

export type Availability =
	| { readonly is: "checkout" }
	/** `update.from` is empty. */
	| { readonly is: "not-configured" }
	| { readonly is: "none" }
	/** Without a version where only the file itself can tell it. */
	| {
			readonly is: "newer";
			readonly version: string | undefined;
			readonly bytes: number | undefined;
			/** What it changes, in its maker's words; empty if they say nothing. */
			readonly notes: string;
			/** Why they can't be read; the version may be installed all the same. */
			readonly notesTrouble?: string;
	  }
	| { readonly is: "failed"; readonly reason: string };

export interface Lookout {
	readonly isExecutable: boolean;
	/** `update.from` */
	readonly location: string;
	/** @throws UpdateError where no key is trusted. */
	readonly keys: () => readonly PublicKey[];
	readonly here: Here;
}

/** @param version that runs now. @throws NodeJS.ErrnoException */
export async function updateState(
	places: Places,
	version: string,
): Promise<UpdateState> {
	const attempt = await readAttempt(places);
	return {
		hasPrevious:
			(await exists(places.previous)) || (await exists(places.earlier)), // of an update that was rolled back
		trial: attempt && { from: attempt.from, to: attempt.to },
		refused: await refusedBy(places, version),
	};
}

async function refusedBy(
	places: Places,
	version: string,
): Promise<UpdateState["refused"]> {
	const found = await lastRefused(places);
	if (!found || typeof found.version !== "string") return undefined;
	const { version: refused, why } = found;
	const isKnown = valid(refused) !== null && valid(version) !== null;
	if (isKnown && compare(refused, version) <= 0) return undefined;
	const { mtimeMs } = await stat(places.refused);
	return {
		version: refused,
		why: typeof why === "string" ? why : "",
		atSeconds: Math.floor(mtimeMs / 1000),
	};
}

/** Reads the signature of what is offered, and of a newer version what it changes; nothing else is fetched. */
export async function availability({
	isExecutable,
	location,
	keys,
	here,
}: Lookout): Promise<Availability> {
	if (!isExecutable) return { is: "checkout" };
	if (location === "") return { is: "not-configured" };
	try {
		const offer = await readOffer(location, keys());
		const { version, bytes } = offer.release;
		if (!isNewer(offer.release, here)) return { is: "none" };
		return { is: "newer", version, bytes, ...(await notesOf(offer)) };
	} catch (error) {
		if (error instanceof UpdateError)
			return { is: "failed", reason: error.message };
		throw error;
	}
}

async function notesOf(offer: Offer) {
	try {
		return { notes: await readNotes(offer) };
	} catch (error) {
		if (!(error instanceof UpdateError)) throw error;
		return { notes: "", notesTrouble: error.message };
	}
}
