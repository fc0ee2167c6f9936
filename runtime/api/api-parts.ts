/** The services behind the endpoints of the API, built by the composition root. */

import type { X509Certificate } from "node:crypto";
import type { Calls } from "../calls/calls.js";
import type { Clock } from "../clock/clock.js";
import type { Config } from "../config/schema.js";
import type { Logger } from "../log/log.js";
import type { AudioLinks } from "../recordings/audio-links.js";
import type { Recordings } from "../recordings/recordings.js";
import type { Lane } from "../session/lane-port.js";
import type { AudioShelf } from "../store/audio-shelf.js";
import type { Store } from "../store/open-store.js";
import type { FileIntake } from "../tasks/intake/file-intake.js";
import type { TaskCuts } from "../tasks/task-cuts.js";
import type { TaskPeaks } from "../tasks/task-peaks.js";
import type { TaskService } from "../tasks/task-service.js";
import type { Language } from "../text/languages.js";
import type { WordLists } from "../word-lists/word-lists.js";
import type { ConsoleAssets } from "./console/assets.js";
import type { DeviceCard } from "./console/sessions.js";
import type { DeviceParts } from "./device/routes.js";
import type { HealthSource } from "./health.js";
import type { InstalledModels } from "./openai/models.js";

export interface ApiParts {
	readonly config: Pick<
		Config,
		| "server"
		| "tls"
		| "auth"
		| "limits"
		| "files"
		| "endpoints"
		| "calls"
		| "ingress"
	>;
	readonly store: Pick<
		Store,
		"tokens" | "tokenUses" | "apps" | "nonces" | "pairings"
	>;
	/** Holds bodies that are too large for memory until their request is answered. */
	readonly bodyShelf: Pick<AudioShelf, "begin">;
	readonly words: Pick<
		WordLists,
		"services" | "source" | "endpointSource" | "uses"
	>;
	/** The services of file transcription; without them its endpoints do not exist. */
	readonly files?: {
		readonly taskService: TaskService;
		readonly shelf: AudioShelf;
		readonly intake: FileIntake;
		readonly peaks: TaskPeaks;
		readonly cuts: TaskCuts;
		/** Signs links to the audio of shared tasks; present where files are shared with other devices. */
		readonly links?: AudioLinks;
	};
	/** Calls over WebSocket; absent: their endpoints do not exist. */
	readonly calls?: Calls;
	/** Stores audio for requests with `audio_url`; absent: no audio is stored. */
	readonly recordings?: Recordings;
	/** Recognizes speech; it also loads word lists and records audio. */
	readonly lane: Lane;
	/** Of the installed models. */
	readonly languages: readonly Language[];
	/** The speech models of this device; absent: none is listed. */
	readonly models?: InstalledModels;
	/** The device's page; absent: it is not served. */
	readonly console?: {
		readonly assets: ConsoleAssets;
		readonly device: () => DeviceCard;
	};
	/** What is told of the device itself; absent: nothing. */
	readonly device?: DeviceParts;
	readonly health: HealthSource;
	/** The device's own certificate authority, where HTTPS uses it. */
	readonly authority?: () => X509Certificate | undefined;
	readonly clock: Clock;
	readonly log: Logger;
	readonly version: string;
}
