/**
 * Builds a microphone from the configuration: the settings of its capture process and its recognition options. Conflicting settings are refused
 * before anything starts.
 */

import {
	arrayGeometry,
	type Geometry,
	geometryFault,
} from "../audio/array/geometry.js";
import { ConfigError } from "../config/config-error.js";
import type { Config, MicrophoneConfig } from "../config/schema.js";
import { streamLogin } from "../config/sources.js";
import { parseLanguage } from "../session/languages.js";
import {
	configuredLists,
	defaultSwitches,
	endlessSpeech,
	type ListReferences,
	type RecognitionOptions,
	type WakeOptions,
} from "../session/options.js";
import type { Language } from "../text/languages.js";
import { parseWakeWords } from "../words/wake-word.js";
import type { MicrophonePlace } from "./microphone-events.js";
import type { CaptureSettings } from "./protocol.js";
import { isStream, type StreamAccess, streamFault } from "./stream-address.js";

/** Far above the deviation of any real card's clock. */
const paceMax = 1.02;

/** @param environment names the folder of the service manager's credentials. */
export function streamAccess(
	{ id, ca_file: file, verify_certificate }: MicrophoneConfig,
	{ allow }: Config["outbound"],
	environment: NodeJS.ProcessEnv = process.env,
): StreamAccess {
	const login = streamLogin(environment, id);
	const trusted = file === "" ? "system" : { file };
	return {
		allow,
		...(login !== undefined && { login }),
		...(verify_certificate && { trusted }),
	};
}

/** @param access to a stream; a card needs none. @throws ConfigError */
export function captureSettings(
	microphone: MicrophoneConfig,
	access: StreamAccess = { allow: [] },
): CaptureSettings {
	const { id, device, channels, sample_rate, format, channel_map } = microphone;
	for (const channel of channel_map)
		if (channel >= channels)
			throw new ConfigError(
				`microphone ${id}: channel_map names channel ${channel}, the card records ${channels} (0 to ${channels - 1})`,
			);
	const repeated = channel_map.find((it, at) => channel_map.indexOf(it) !== at);
	if (repeated !== undefined)
		throw new ConfigError(
			`microphone ${id}: channel_map names channel ${repeated} twice`,
		);
	const fault = isStream(device) ? streamFault(device) : undefined;
	if (fault) throw new ConfigError(`microphone ${id}: device ${fault}`);
	return {
		...(isStream(device) && { stream: access }),
		device,
		channels,
		rateHz: sample_rate,
		format: format === "auto" ? undefined : format,
		channelMap: channel_map,
		geometry: geometryOf(microphone),
		paceMax,
	};
}

function geometryOf(microphone: MicrophoneConfig): Geometry | undefined {
	const { id, array, geometry, channels, channel_map } = microphone;
	if (array !== "none" && geometry.length > 0)
		throw new ConfigError(
			`microphone ${id}: array and geometry are both set; set only one of them`,
		);
	if (array === "none" && geometry.length === 0) return undefined;
	const places =
		array === "none" ? (geometry as unknown as Geometry) : arrayGeometry(array);
	const fault = geometryFault(places);
	if (fault) throw new ConfigError(`microphone ${id}: ${fault}`);
	const channelsUsed = channel_map.length || channels;
	if (places.length !== channelsUsed)
		throw new ConfigError(
			`microphone ${id}: the array has ${places.length} microphones, but ${channelsUsed} channels are used; set channels, or channel_map to name those that are microphones`,
		);
	return places;
}

/** @param installed languages of the models. @throws ConfigError */
export function microphoneLanguageOf(
	{ id, language: name }: MicrophoneConfig,
	installed: readonly Language[],
): Language {
	const language = parseLanguage(name);
	if (language && installed.includes(language)) return language;
	throw new ConfigError(
		`microphone ${id}: language must be one of ${installed.join(", ")}, got ${JSON.stringify(name)}`,
	);
}

export function placeOf(
	{ id, room, kiosk }: MicrophoneConfig,
	language: Language,
): MicrophonePlace {
	return {
		microphone: id,
		...(room !== "" && { room }),
		...(kiosk !== "" && { kiosk }),
		language,
	};
}

/** The lists that its recognition refers to, to be looked up by the caller. */
export function referredLists(microphone: MicrophoneConfig): ListReferences {
	return {
		hotwordsList: microphone.hotwords,
		hotwordsWeight: microphone.hotwords_weight,
		...configuredLists(microphone),
	};
}

/** @param secondEar `model.second_ear`. @returns undefined without wake words. @throws ConfigError */
export function wakeOptions(
	{ id, wake_words, wake_seconds: seconds }: MicrophoneConfig,
	secondEar: string,
): WakeOptions | undefined {
	if (wake_words.length === 0) return undefined;
	const words = parseWakeWords(wake_words);
	if ("fault" in words)
		throw new ConfigError(`microphone ${id}: wake_words ${words.fault}`);
	if (secondEar === "")
		throw new ConfigError(
			`microphone ${id}: wake_words need a second ear: type earshot models add zipformer-zh-ear, and set model.second_ear`,
		);
	return { words, seconds };
}

/** Without word lists. */
export function recognitionOptions(
	microphone: MicrophoneConfig,
	language: Language,
): RecognitionOptions {
	return {
		language,
		format: "pcm",
		sampleRateHz: 16000,
		gain: microphone.gain,
		...endlessSpeech,
		keepsWhole: false,
		maxSentenceSilenceMs: microphone.max_sentence_silence,
		dynamicBreak: microphone.dynamic_break,
		...defaultSwitches,
		punctuation: microphone.punctuation,
		inverseTextNormalization: microphone.inverse_text_normalization,
		modalParticleFilter: microphone.modal_particle_filter,
		words: microphone.words,
		partials: microphone.partials,
	};
}
