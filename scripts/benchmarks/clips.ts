/**
 * The real speech that accuracy and speed are measured on: the clips that lie beside the checkout, with what was said in them.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ScoredLanguage } from "./scoring.js";

export interface Clip {
	readonly name: string;
	/** 16 kHz, mono, 16-bit WAV. */
	readonly path: string;
	readonly language: ScoredLanguage;
	readonly seconds: number;
	/** What was said; absent where only keywords are known. */
	readonly reference?: string;
	/** The reference says how it sounds, not how it is written: characters can't be counted by it. */
	readonly isPhonetic: boolean;
}

export const clipsDirectory = resolve(
	process.env.EARSHOT_BENCH_AUDIO ?? "../shared/audio",
);

/** Whisper is told one language a clip: mixed clips count as the one they are mostly in. */
const languageOf: Readonly<Record<string, ScoredLanguage>> = {
	zh: "zh",
	"zh-en": "zh",
	ja: "ja",
	en: "en",
};

interface ManifestEntry {
	readonly file: string;
	readonly lang: string;
	readonly seconds: number;
	readonly reference?: string;
	readonly notes?: string;
}

/** Every clip; undefined (with the reason on stderr) where they are not here. */
export function readClips(): readonly Clip[] | undefined {
	const manifest = resolve(clipsDirectory, "manifest.json");
	if (!existsSync(manifest)) {
		console.error(`no clips: ${manifest} is missing`);
		return undefined;
	}
	const entries = JSON.parse(
		readFileSync(manifest, "utf8"),
	) as readonly ManifestEntry[];
	return entries.flatMap((entry) => {
		const language = languageOf[entry.lang];
		if (language === undefined) return [];
		const { reference, seconds, notes = "" } = entry;
		return [
			{
				name: entry.file.replace(/\.wav$/, ""),
				path: resolve(clipsDirectory, entry.file),
				language,
				seconds,
				isPhonetic: notes.includes("phonetic"),
				...(reference === undefined ? {} : { reference }),
			},
		];
	});
}

/** Clips as short commands and sentences are: what the speed goals are stated for. */
export function isMedium(clip: Clip): boolean {
	return clip.seconds >= 3 && clip.seconds <= 10;
}

export const languages: readonly ScoredLanguage[] = ["zh", "ja", "en"];

/** `lang_type` of the API. */
export const langTypes: Readonly<Record<ScoredLanguage, string>> = {
	zh: "zh-cmn-Hans-CN",
	ja: "ja-JP",
	en: "en-US",
};
