/**
 * Long recordings out of short clips: of one language, one after the other with a second of silence between them, as somebody dictates; again from the
 * first where there are too few. Their references are joined as well.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "./cache.js";
import type { Clip } from "./clips.js";
import type { ScoredLanguage } from "./scoring.js";
import { readWav, sampleRateHz, writeWav } from "./wav.js";

export interface Recording {
	readonly path: string;
	readonly language: ScoredLanguage;
	readonly seconds: number;
	readonly reference: string;
}

interface Plan {
	readonly name: string;
	readonly language: ScoredLanguage;
	readonly seconds: number;
	/** Between two clips. */
	readonly silenceSeconds: number;
}

/** @param clips with references. */
export function makeRecording(clips: readonly Clip[], plan: Plan): Recording {
	const own = clips.filter(({ language }) => language === plan.language);
	const samples = new Int16Array(plan.seconds * sampleRateHz);
	const references: string[] = [];
	let at = 0;
	for (let i = 0; ; i++) {
		const clip = own[i % own.length];
		if (clip === undefined) throw new Error(`no clips in ${plan.language}`);
		const part = readWav(clip.path);
		if (at + part.length > samples.length) break;
		samples.set(part, at);
		references.push(clip.reference ?? "");
		at += part.length + Math.round(plan.silenceSeconds * sampleRateHz);
	}
	const folder = join(cacheDirectory, "recordings");
	mkdirSync(folder, { recursive: true });
	const path = join(folder, `${plan.name}.wav`);
	writeWav(path, samples);
	const { language, seconds } = plan;
	return { path, language, seconds, reference: references.join(" ") };
}
