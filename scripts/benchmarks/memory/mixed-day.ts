/**
 * What a device's engine is asked for in a day, in a few minutes: short requests in three languages, live speech with partials, hotwords, lists of 20,000, readings in
 * katakana, mixed speech, long recordings; and then a minute of quiet.
 */
import { setTimeout as pause } from "node:timers/promises";
import { EarshotClient } from "../../../runtime/client/earshot-client.js";
import { type Clip, langTypes } from "../clips.js";
import { residentMegabytes } from "../process-usage.js";
import { expectWords, type Server } from "../server.js";
import { readWav } from "../wav.js";

export interface DayStats {
	/** After each part, MB. */
	readonly megabytes: ReadonlyMap<string, number>;
	/** After a minute of quiet, MB. */
	readonly quiet: number;
	/** Of a clip before the day, and of the same one after it, seconds. */
	readonly seconds: readonly [before: number, after: number];
}

const quietMs = 60_000;
const entries = 20_000;
/** Below the limit of a short request. */
const longSecondsMax = 280;

export async function mixedDay(
	server: Server,
	clips: readonly Clip[],
): Promise<DayStats> {
	const engine = server.enginePid();
	const megabytes = new Map<string, number>();
	const note = (part: string) => megabytes.set(part, residentMegabytes(engine));
	const of = (language: Clip["language"]) =>
		clips.filter((it) => it.language === language);
	const recognize = async (
		{ path, language }: Clip,
		more: Readonly<Record<string, string>> = {},
	) => {
		const { lang_type = langTypes[language], ...options } = more;
		const answer = await server.recognize(readWav(path), lang_type, options);
		expectWords(answer);
		return answer.seconds;
	};
	const [zh, ja, en] = [of("zh"), of("ja"), of("en")].map(([first]) => first);
	if (!zh || !ja || !en) throw new Error("no clip of a language");
	await recognize(en);
	const before = await recognize(en);
	note("first requests");
	for (const clip of clips) await recognize(clip);
	note("short requests");
	for (const clip of [zh, ja, en]) await stream(server, clip);
	note("live, with partials");
	const few = Array.from({ length: 20 }, (_, i) => word(i)).join("|");
	await recognize(zh, { hotwords_list: few });
	note("20 hotwords");
	for (const clip of [zh, en]) {
		const words = Array.from({ length: entries }, (_, i) =>
			clip === zh ? word(i) : `word ${i} of many`,
		);
		const id = await storedList(server, langTypes[clip.language], words);
		await recognize(clip, { hotwords_id: id });
	}
	note("two lists of 20,000");
	await recognize(ja, { enable_spoken: "true" });
	note("readings in katakana");
	await recognize(zh, { lang_type: "zh-cmn-Hans-CN-en-US" });
	note("mixed speech");
	const pcm = clips.map(({ path }) => readWav(path));
	const long = joined(pcm, longSecondsMax * 16_000);
	const duration = `${longSecondsMax}`;
	expectWords(await server.recognize(long, langTypes.en, { duration }));
	note("a recording of almost five minutes");
	await pause(quietMs);
	const quiet = residentMegabytes(engine);
	const after = await recognize(en);
	if (server.enginePid() !== engine) throw new Error("the engine was replaced");
	return { megabytes, quiet, seconds: [before, after] };
}

/** Different Chinese words of three characters. */
function word(i: number): string {
	const first = 0x4e00;
	return String.fromCharCode(
		...[first + (i % 89), first + 500 + (i % 97), first + 1000 + (i % 101)],
	);
}

/** @returns its id. */
async function storedList(
	{ endpoint: { url, token } }: Server,
	langType: string,
	words: readonly string[],
): Promise<string> {
	const answer = await fetch(`${url}/v1/hotwords`, {
		method: "POST",
		headers: {
			Authorization: `Bearer ${token}`,
			"Content-Type": "application/json",
		},
		body: JSON.stringify({ lang_type: langType, words }),
	});
	const { data, message } = (await answer.json()) as {
		data: { id: string } | null;
		message: string;
	};
	if (!data) throw new Error(message);
	return data.id;
}

async function stream(
	{ endpoint }: Server,
	{ path, language }: Clip,
): Promise<void> {
	const client = new EarshotClient({
		...endpoint,
		namespace: "SpeechTranscriber",
	});
	await client.start({ lang_type: langTypes[language], format: "pcm" });
	const pcm = readWav(path);
	await client.send(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength));
	await client.stop();
}

function joined(parts: readonly Int16Array[], samplesMax: number): Int16Array {
	const all = new Int16Array(samplesMax);
	let at = 0;
	for (let i = 0; at < samplesMax; i++) {
		const part = parts[i % parts.length] as Int16Array;
		const room = part.subarray(0, samplesMax - at);
		all.set(room, at);
		at += room.length;
	}
	return all;
}
