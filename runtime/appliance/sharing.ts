/** Sharing of files with other devices of the site, implemented for this appliance. */
import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Clock } from "../clock/clock.js";
import type { Config } from "../config/schema.js";
import type { ConfiguredLane } from "../engine/from-config.js";
import { languageModelsOf } from "../engine/health.js";
import type {
	BorrowedFile,
	SharingPort,
} from "../fleet/sharing/sharing-port.js";
import type { Outbound } from "../outbound/outbound.js";
import type { AudioLinks } from "../recordings/audio-links.js";
import type { AudioShelf } from "../store/audio-shelf.js";
import type { FileService } from "../tasks/file-service.js";
import { fetchFile } from "../tasks/intake/fetched-file.js";
import {
	isSharedAudio,
	sharedAudioFile,
	sharedAudioPath,
} from "../tasks/shared-audio.js";
import { type Language, pairOf } from "../text/languages.js";

export interface SharingPortParts {
	readonly config: Config;
	/** After reloads. */
	readonly inForce: () => Pick<Config, "model">;
	readonly languages: readonly string[];
	readonly live: Pick<ConfiguredLane, "supervisor">;
	readonly batch: ConfiguredLane;
	readonly files: FileService;
	readonly shelf: AudioShelf;
	readonly links: AudioLinks;
	readonly clock: Pick<Clock, "expirySeconds">;
	readonly outbound: Outbound;
	/** Port of the API. */
	readonly port: () => number | undefined;
}

/** How long a link is valid. */
const linkSeconds = 600;

export function sharingPortOf(parts: SharingPortParts): SharingPort {
	const { config, files, batch, shelf, links, clock, outbound, port } = parts;
	const { fleet, server } = config;
	const { audio_file_bytes_max, video_file_bytes_max } = config.files;
	const bytesMax = Math.max(audio_file_bytes_max, video_file_bytes_max);
	const ownUrl = fleet.share_url || server.public_url.replace(/\/+$/, "");
	return {
		modelOf: (language) => modelOf(language, parts.inForce().model),
		recognizes: (language) =>
			parts.languages.includes(language) && !hasFailed(language, parts),
		slots: config.engine.batch_slots,
		unfinished: () => {
			const { tasks } = files.stats;
			return tasks.processing + tasks.queued;
		},
		onWaiting: (listener) => files.onWaiting(listener),
		shareable: (id) => files.sharing.shareable(id),
		lend: (id, lane) => files.sharing.lend(id, lane),
		lane: batch.lane,
		audioBytes: (id) => shelf.size(id),
		audioUrl: (id, address = "127.0.0.1") =>
			links.link(
				ownUrl ||
					`http://${isIPv6(address) ? `[${address}]` : address}:${port()}`,
				sharedAudioFile(id),
				clock.expirySeconds() + linkSeconds,
				sharedAudioPath,
			),
		fetch: async (url, bytes, signal): Promise<BorrowedFile> => {
			// the sender is only known to have access to the site's topics: it may request nothing but shared files
			if (!isSharedAudio(url))
				throw new Error("the link is not that of a shared file");
			if (bytes > bytesMax)
				throw new Error(`${bytes} bytes exceed the limit of this device`);
			const secondsMax = config.outbound.file_seconds_max;
			const fetchParts = { outbound, shelf, secondsMax, redirectsMax: 0 };
			const { draft } = await fetchFile(url, bytes, fetchParts, signal);
			if (draft.bytes !== bytes) {
				await draft.discard();
				throw new Error(`expected ${bytes} bytes, received ${draft.bytes}`);
			}
			return { path: draft.path, bytes, discard: () => draft.discard() };
		},
	};
}

/** Mixed speech that no model is named for may be recognized by any of them (engine/served-languages.ts), so that all of them have to be the same. */
function modelOf(
	language: Language,
	{ name, by_language }: Pick<Config["model"], "name" | "by_language">,
): string {
	const named = by_language[language];
	if (named !== undefined) return named;
	const others = Object.entries(by_language);
	if (!pairOf(language) || others.length === 0) return name;
	const hash = createHash("sha256").update(JSON.stringify(others.sort()));
	return `${name} ${hash.digest("hex")}`;
}

/** As far as either engine knows: the other may not have started yet. */
function hasFailed(
	language: Language,
	{ live, batch }: Pick<SharingPortParts, "live" | "batch">,
): boolean {
	const served = [language, ...(pairOf(language) ?? [])];
	return [live, batch]
		.flatMap(({ supervisor }) => languageModelsOf(supervisor.state))
		.some(
			({ state, languages }) =>
				state === "failed" && languages.some((it) => served.includes(it)),
		);
}
