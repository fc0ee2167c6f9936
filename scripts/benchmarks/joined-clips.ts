/**
 * Clips of close to 30 s: Whisper's whole window, filled with sentences of one language one after the other. The clips at hand are shorter, so
 * they are joined end to end (each carries its own silence at both ends); their references are joined as well.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "./cache.js";
import { type Clip, isMedium, languages } from "./clips.js";
import { readWav, sampleRateHz, writeWav } from "./wav.js";

/** Below 29.5 s, where sherpa-onnx cuts off. */
const joinedSecondsMax = 29.4;
const joinedSecondsMin = 24;

export function joinClips(clips: readonly Clip[]): readonly Clip[] {
	const directory = join(cacheDirectory, "joined");
	mkdirSync(directory, { recursive: true });
	return languages.flatMap((language) => {
		const medium = clips.filter(
			(clip) => clip.language === language && isMedium(clip),
		);
		return group(medium).map((members, index) =>
			join30s(members, join(directory, `${language}-${index}.wav`)),
		);
	});
}

/** In the order they come, as many as fit. */
function group(clips: readonly Clip[]): readonly (readonly Clip[])[] {
	const groups: Clip[][] = [];
	let open: Clip[] = [];
	for (const clip of clips) {
		if (secondsOf(open) + clip.seconds > joinedSecondsMax) {
			groups.push(open);
			open = [];
		}
		open.push(clip);
	}
	groups.push(open);
	return groups.filter((members) => secondsOf(members) >= joinedSecondsMin);
}

function secondsOf(clips: readonly Clip[]): number {
	return clips.reduce((seconds, clip) => seconds + clip.seconds, 0);
}

function join30s(members: readonly Clip[], path: string): Clip {
	const parts = members.map((member) => readWav(member.path));
	const samples = new Int16Array(
		parts.reduce((sum, part) => sum + part.length, 0),
	);
	let at = 0;
	for (const part of parts) {
		samples.set(part, at);
		at += part.length;
	}
	writeWav(path, samples);
	return {
		name: members.map((member) => member.name).join("+"),
		path,
		language: members[0]?.language ?? "en",
		seconds: samples.length / sampleRateHz,
		reference: members.map((member) => member.reference ?? "").join(" "),
		isPhonetic: members.some((member) => member.isPhonetic),
	};
}
