/** The session as answers show it: the values in force, in the words of the dialect. */
import type { AudioFormat, Dialect, RealtimeSettings } from "./settings.js";

const betaFormats: Readonly<Record<AudioFormat["type"], string>> = {
	"audio/pcm": "pcm16",
	"audio/pcmu": "g711_ulaw",
	"audio/pcma": "g711_alaw",
};
const usualBetaRatesHz: Readonly<Record<AudioFormat["type"], number>> = {
	"audio/pcm": 24_000,
	"audio/pcmu": 8000,
	"audio/pcma": 8000,
};

/** @param id undefined where there is no connection yet. */
export function sessionObject(
	settings: RealtimeSettings,
	dialect: Dialect,
	id: string,
) {
	const include = settings.logprobs
		? ["item.input_audio_transcription.logprobs"]
		: null;
	const common = {
		id,
		object: "realtime.transcription_session",
		type: "transcription",
		expires_at: 0, // it has no end
	};
	if (dialect === "ga")
		return {
			...common,
			audio: {
				input: {
					format: formatOf(settings.format),
					transcription: transcriptionOf(settings),
					turn_detection: turnsOf(settings),
					noise_reduction: null,
				},
			},
			include,
		};
	const { type, rateHz } = settings.format;
	return {
		...common,
		input_audio_format: betaFormats[type],
		...(rateHz !== usualBetaRatesHz[type] && { input_audio_rate: rateHz }),
		input_audio_transcription: transcriptionOf(settings),
		turn_detection: turnsOf(settings),
		input_audio_noise_reduction: null,
		include,
	};
}

function formatOf({ type, rateHz }: AudioFormat) {
	const isUsual = type !== "audio/pcm" && rateHz === 8000;
	return isUsual ? { type } : { type, rate: rateHz };
}

function transcriptionOf(settings: RealtimeSettings) {
	const { model, language = null, prompt = "", delay } = settings;
	const { languages, keywords } = settings;
	return {
		model,
		language,
		prompt,
		delay,
		...(languages.length > 0 && { languages }),
		...(keywords.length > 0 && { keywords }),
	};
}

function turnsOf({ turns }: RealtimeSettings) {
	switch (turns.is) {
		case "manual":
			return null;
		case "server_vad":
			return {
				type: turns.is,
				threshold: turns.threshold,
				prefix_padding_ms: turns.prefixPaddingMs,
				silence_duration_ms: turns.silenceMs,
			};
		case "semantic_vad":
			return { type: turns.is, eagerness: turns.eagerness };
	}
}
