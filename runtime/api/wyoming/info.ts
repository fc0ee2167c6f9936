/** The answer to `describe`, made from what is in memory: Home Assistant waits for it for a second, also while the engines still load. */
import { type Language, pairOf } from "../../text/languages.js";
import type { SentFrame } from "./frame.js";

export interface InfoParts {
	readonly version: string;
	/** Name of the model in use. */
	readonly model: string;
	/** Of that model. */
	readonly languages: readonly Language[];
	/** The end of a turn is found here, so the peer needs no voice activity detection of its own. */
	readonly endpointing: boolean;
}

const attribution = { name: "earshot", url: "" };

/** @returns `info`; the program's name is part of Home Assistant's id of the entity and never changes. */
export function infoFrame(parts: InfoParts): SentFrame {
	const { version, model, endpointing } = parts;
	const program = {
		name: "earshot",
		description: "Speech recognition on this device",
		attribution,
		installed: true,
		version,
		models: [
			{
				name: model,
				description: model,
				attribution,
				installed: true,
				version,
				languages: tagsOf(parts.languages),
			},
		],
		supports_transcript_streaming: true,
		requires_external_vad: !endpointing,
		prefers_auto_gain_enabled: false,
		prefers_noise_reduction_enabled: false,
	};
	return {
		type: "info",
		data: {
			asr: [program],
			tts: [],
			handle: [],
			intent: [],
			wake: [],
			mic: [],
			snd: [],
		},
	};
}

/** The primary subtag: `en`, `ja`, `zh`; a mixed language is known by its eastern part. */
export function subtagOf(language: Language): string {
	return language.slice(0, 2);
}

/** Mixed languages have no tag: `zh-en` would be taken for Chinese as it is spoken somewhere. */
function tagsOf(languages: readonly Language[]): readonly string[] {
	const single = languages.filter((it) => pairOf(it) === undefined);
	return [...new Set(single.map(subtagOf))].sort();
}
