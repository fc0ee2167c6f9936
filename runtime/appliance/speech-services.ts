/** Builds what turns audio into text: both lanes, word lists, recordings, file tasks, microphones and calls. How they are reached from outside is built in services.ts. */

import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import { openEncoder } from "../../drivers/ffmpeg/encoder.js";
import { openProbe } from "../../drivers/ffmpeg/probe.js";
import { Calls } from "../calls/calls.js";
import { localTimeText } from "../clock/time-text.js";
import type { Config } from "../config/schema.js";
import { createLane } from "../engine/from-config.js";
import type { Logger } from "../log/log.js";
import { referredLists } from "../microphones/from-config.js";
import { AudioLinks } from "../recordings/audio-links.js";
import { Recordings } from "../recordings/recordings.js";
import { parseLanguage } from "../session/languages.js";
import { configuredLists } from "../session/options.js";
import { FileService } from "../tasks/file-service.js";
import { FileIntake } from "../tasks/intake/file-intake.js";
import { ResultKeywords } from "../tasks/result-keywords.js";
import type { Language } from "../text/languages.js";
import { WordLists } from "../word-lists/word-lists.js";
import { correctionLimits } from "../words/correction.js";
import { openOutbound } from "./outbound.js";
import { standingMicrophones } from "./standing-microphones.js";
import type { State } from "./state.js";

export interface SpeechParts {
	readonly config: Config;
	/** The configuration in force, which a reload changes. */
	readonly inForce: () => Config;
	readonly log: Logger;
	readonly state: State;
	/** Languages of the model in use; the array is updated in place when the model changes. */
	readonly languages: Language[];
	/** Port of the API; undefined until it listens. */
	readonly port: () => number | undefined;
}

/** @throws ConfigError, ServerError with a message of one sentence. */
export function buildSpeechServices({
	config,
	inForce,
	log,
	state,
	languages,
	port,
}: SpeechParts) {
	const { store, shelf, clock } = state;
	const live = createLane("live", config, log);
	const batch = createLane("batch", config, log);
	const outbound = openOutbound(config, port);
	const keywords = new ResultKeywords();
	const links = AudioLinks.open(config.state.dir);
	const words = new WordLists({
		store,
		categories: config.hotwords.categories,
		corrections: correctionLimits(config.limits),
		lane: live.lane,
		microphones: () =>
			inForce().microphone.map((it) => ({
				id: it.id,
				room: it.room,
				references: referredLists(it),
				language: parseLanguage(it.language),
			})),
		renewMicrophone: (id) => microphones.renew(id),
		endpointLists: () => configuredLists(inForce().endpoints),
		log,
	});
	const recordings = new Recordings({
		rows: store.recordings,
		encoder: openEncoder(),
		shelf,
		links,
		clock,
		log,
	});
	const files = new FileService({
		config,
		database: store.database,
		shelf,
		outbound,
		clock,
		log,
		othersAudio: () => recordings.audioIds(),
		lane: batch.lane,
		words: words.source,
		keywords,
		timeText: localTimeText,
	});
	const intake = new FileIntake({
		shelf,
		outbound,
		languages,
		taskService: files.tasks,
		probe: openProbe({ decoder: openFfmpeg() }),
		wordLists: words.source,
		sizes: config.files,
		fetchSecondsMax: config.outbound.file_seconds_max,
	});
	const microphones = standingMicrophones({
		config,
		languages,
		log,
		inForce,
		lane: words.lane,
		words: words.source,
		mutes: store.mutes,
	});
	const calls = new Calls({
		lane: words.lane,
		tasks: files.liveTasks,
		silentSeconds: config.calls.silent_seconds,
		returnSeconds: config.calls.return_seconds,
		log,
	});
	return {
		live,
		batch,
		outbound,
		keywords,
		links,
		words,
		recordings,
		files,
		intake,
		microphones,
		calls,
	};
}
