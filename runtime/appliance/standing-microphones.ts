/** The microphones of the configuration, each with a standing recognition. */

import type { Config, MicrophoneConfig } from "../config/schema.js";
import type { Logger } from "../log/log.js";
import type { LogPort } from "../log/log-port.js";
import { Capture } from "../microphones/capture.js";
import {
	captureSettings,
	microphoneLanguageOf,
	placeOf,
	recognitionOptions,
	referredLists,
	streamAccess,
	wakeOptions,
} from "../microphones/from-config.js";
import { Microphone } from "../microphones/microphone.js";
import type { MicrophoneEvent } from "../microphones/microphone-events.js";
import { Microphones } from "../microphones/microphones.js";
import type { Lane } from "../session/lane-port.js";
import type { MicrophoneMutes } from "../store/microphone-mutes.js";
import type { Language } from "../text/languages.js";
import type { ReferredWords, WordSource } from "../word-lists/references.js";

export interface MicrophonesParts {
	/** At the start. */
	readonly config: Pick<Config, "microphone" | "model" | "outbound">;
	/** After any reloads. */
	readonly inForce: () => Pick<Config, "outbound">;
	/** Of the installed models. */
	readonly languages: readonly Language[];
	readonly lane: Lane;
	/** Resolved each time a recognition is opened. */
	readonly words: WordSource;
	/** What people chose, from before a restart. */
	readonly mutes: Pick<MicrophoneMutes, "read" | "keep" | "forget">;
	readonly log: Logger;
}

/** Starts nothing yet. @throws ConfigError */
export function standingMicrophones({
	config,
	inForce,
	languages,
	lane,
	words,
	mutes,
	log,
}: MicrophonesParts): Microphones {
	const configured = new Map(config.microphone.map((it) => [it.id, it.muted]));
	const build = (onEvent: (event: MicrophoneEvent) => void) =>
		config.microphone.map((it) => {
			const access = streamAccess(it, config.outbound);
			captureSettings(it, access); // whatever is wrong with it is reported at the start
			const capture = () =>
				captureSettings(it, { ...access, allow: inForce().outbound.allow });
			const language = microphoneLanguageOf(it, languages);
			const wake = wakeOptions(it, config.model.second_ear);
			return new Microphone({
				place: placeOf(it, language),
				pushToTalk: it.push_to_talk,
				muted: mutedAtStart(it, { mutes, log }),
				wakes: wake !== undefined,
				lane,
				options: (hotwords) => ({
					...recognitionOptions(it, language),
					...(wake && { wake }),
					...wordsOf(it, language, hotwords, { words, log }),
				}),
				source: (listener) => new Capture(capture, listener, log),
				onEvent,
				log,
				nowMs: () => Date.now(),
			});
		});
	return new Microphones(build, (id, muted) =>
		mutes.keep(id, { muted, configured: configured.get(id) ?? false }),
	);
}

/** What somebody chose last; what the configuration says where nobody did, and where it has been changed since. */
function mutedAtStart(
	{ id, muted }: MicrophoneConfig,
	{ mutes, log }: Pick<MicrophonesParts, "mutes"> & { log: LogPort },
): boolean {
	const kept = mutes.read(id);
	if (!kept) return muted;
	if (kept.configured === muted) return kept.muted;
	// or it would count again once the configuration is changed back
	mutes
		.forget(id)
		.catch((err: unknown) =>
			log.warn({ microphone: id, err }, "a mute was not forgotten"),
		);
	return muted;
}

/** Lists that grow never end a recognition that nobody could begin anew. @param hotwords set by a command. @throws CodedError for a missing list */
export function wordsOf(
	microphone: MicrophoneConfig,
	language: Language,
	hotwords: readonly string[] | undefined,
	{ words, log }: Pick<MicrophonesParts, "words"> & { log: LogPort },
): ReferredWords {
	const references = {
		...referredLists(microphone),
		...(hotwords && { hotwordsList: hotwords }),
	};
	const fitting = words.resolveAccepted(references, language);
	for (const note of fitting.notes)
		log.warn({ microphone: microphone.id }, note);
	return fitting.words;
}
