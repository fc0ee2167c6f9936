/** How updates of this program stand, for whoever looks at the device: what is on trial, what was rolled back, and whether another version is offered. */
import { stat } from "node:fs/promises";
import { compare, valid } from "semver";
import { exists } from "../disk/whole-file.js";
import { readAttempt } from "./attempt.js";
import type { PublicKey } from "./minisign.js";
import { readOffer } from "./offer.js";
import type { Places } from "./places.js";
import { type Here, isNewer } from "./release.js";
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
	| { readonly is: "newer"; readonly version: string | undefined }
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
		hasPrevious: await exists(places.previous),
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

/** Reads the signature of what is offered; nothing is fetched beside it. */
export async function availability({
	isExecutable,
	location,
	keys,
	here,
}: Lookout): Promise<Availability> {
	if (!isExecutable) return { is: "checkout" };
	if (location === "") return { is: "not-configured" };
	try {
		const { release } = await readOffer(location, keys());
		return isNewer(release, here)
			? { is: "newer", version: release.version }
			: { is: "none" };
	} catch (error) {
		if (error instanceof UpdateError)
			return { is: "failed", reason: error.message };
		throw error;
	}
}
