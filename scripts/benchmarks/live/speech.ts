/**
 * What the streams are fed with: clips of real speech, what the HTTP endpoint recognizes in each, and where in it the speech lies, so that a stream's delays can be
 * counted from the sound and its text can be compared.
 */
import { request } from "node:http";
import {
	type Clip,
	isMedium,
	langTypes,
	languages,
	readClips,
} from "../clips.js";
import { countErrors, type ErrorCount } from "../scoring.js";
import { readWav } from "../wav.js";
import type { Endpoint } from "./earshot-stream.js";
import type { SpeechBounds } from "./timeline.js";

export interface Speech extends Clip {
	readonly reference: string;
	readonly samples: Int16Array;
	readonly bounds: SpeechBounds;
	/** What the HTTP endpoint recognized. */
	readonly offlineText: string;
}

/** A sentence each, the languages in turn; so many of each. */
export function chooseClips(eachMax: number): readonly Clip[] {
	const fit = (readClips() ?? []).filter(
		(clip) => isMedium(clip) && clip.reference !== undefined,
	);
	const rows = languages.map((language) =>
		fit.filter((clip) => clip.language === language).slice(0, eachMax),
	);
	return Array.from({ length: eachMax }, (_, at) =>
		rows.flatMap((row) => row[at] ?? []),
	).flat();
}

export async function recognizeOffline(
	endpoint: Endpoint,
	clips: readonly Clip[],
): Promise<readonly Speech[]> {
	const speeches: Speech[] = [];
	for (const clip of clips) {
		const samples = readWav(clip.path);
		const { result, words } = await recognizeClip(endpoint, samples, clip);
		const first = words.find((word) => word.type !== "punc");
		const last = words.findLast((word) => word.type !== "punc");
		if (!first || !last) continue; // nothing was recognized: nothing to count from
		speeches.push({
			...clip,
			reference: clip.reference ?? "",
			samples,
			offlineText: result,
			bounds: {
				beginMs: first.start_time,
				firstWordEndMs: first.end_time,
				endMs: last.end_time,
			},
		});
	}
	return speeches;
}

export function errorsOf(speech: Speech, text: string): ErrorCount {
	return countErrors(speech.reference, text, speech.language);
}

interface OfflineResult {
	readonly result: string;
	readonly words: readonly {
		readonly start_time: number;
		readonly end_time: number;
		readonly type: string;
	}[];
}

async function recognizeClip(
	{ url, token }: Endpoint,
	samples: Int16Array,
	clip: Clip,
): Promise<OfflineResult> {
	const query = new URLSearchParams({
		lang_type: langTypes[clip.language],
		enable_words: "true",
		enable_modal_particle_filter: "false",
		enable_inverse_text_normalization: "false",
	});
	const body = await new Promise<string>((fulfil, reject) => {
		const outgoing = request(
			`${url}/v1/asr/api?${query}`,
			{ method: "POST", headers: { authorization: `Bearer ${token}` } },
			(incoming) => {
				const chunks: Buffer[] = [];
				incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
				incoming.on("error", reject);
				incoming.on("end", () => fulfil(Buffer.concat(chunks).toString()));
			},
		);
		outgoing.on("error", reject);
		outgoing.end(
			Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength),
		);
	});
	const { status, message, data } = JSON.parse(body) as {
		status: string;
		message: string;
		data: OfflineResult;
	};
	if (status !== "000000") throw new Error(`${clip.name}: ${message}`);
	return data;
}
