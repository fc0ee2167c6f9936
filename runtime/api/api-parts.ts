/** What the API is made of: the services behind its endpoints, built by whoever composes the program. */

import type { Clock } from "../clock/clock.js";
import type { Config } from "../config/schema.js";
import type { Logger } from "../log/log.js";
import type { AudioLinks } from "../recordings/audio-links.js";
import type { Recordings } from "../recordings/recordings.js";
import type { Lane } from "../session/lane-port.js";
import type { AudioShelf } from "../store/audio-shelf.js";
import type { Store } from "../store/open-store.js";
import type { FileIntake } from "../tasks/intake/file-intake.js";
import type { TaskService } from "../tasks/task-service.js";
import type { Language } from "../text/languages.js";
import type { WordLists } from "../word-lists/word-lists.js";
import type { HealthSource } from "./health.js";

export interface ApiParts {
	readonly config: Pick<Config, "server" | "auth" | "limits" | "files">;
	readonly store: Pick<Store, "tokens" | "apps" | "nonces">;
	/** Where bodies that are too large for memory lie until they are answered. */
	readonly bodyShelf: Pick<AudioShelf, "begin">;
	readonly words: Pick<WordLists, "services" | "source">;
	/** What files are transcribed with; without it there are no such endpoints. */
	readonly files?: {
		readonly desk: TaskService;
		readonly shelf: AudioShelf;
		readonly intake: FileIntake;
		/** Given where files are shared with other devices: what links to their audio are signed with. */
		readonly links?: AudioLinks;
	};
	/** Where audio is stored for who asks for it (`audio_url`); without it nothing is. */
	readonly recordings?: Recordings;
	/** Where speech is recognised: lists of words are held, and audio is recorded, by it. */
	readonly lane: Lane;
	/** Of the installed models. */
	readonly languages: readonly Language[];
	readonly health: HealthSource;
	readonly clock: Clock;
	readonly log: Logger;
	/** Of this program. */
	readonly version: string;
}
