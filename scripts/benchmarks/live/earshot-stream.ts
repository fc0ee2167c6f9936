/**
 * One speaker at earshot's streaming endpoint, through the same client that users have.
 */
import {
	EarshotClient,
	type StartOptions,
} from "../../../runtime/client/earshot-client.js";
import { langTypes } from "../clips.js";
import type { ScoredLanguage } from "../scoring.js";
import { Speaker, withSilenceAfter } from "./feeding.js";
import type { Shown, Timeline } from "./timeline.js";

export interface Endpoint {
	readonly url: string;
	readonly token: string;
}

/** References hold what was said: fillers are wanted, and numbers as they fell. */
const verbatim = {
	enable_modal_particle_filter: false,
	enable_inverse_text_normalization: false,
};

/** More than any rule for the end of speech waits for. */
const silenceSeconds = 3;

/** Says a clip and stops at its last sample. */
export async function speakAndStop(
	endpoint: Endpoint,
	samples: Int16Array,
	language: ScoredLanguage,
): Promise<Timeline> {
	return speak(endpoint, samples, language, {}, true);
}

/** Says a clip and is silent: the service finds the end. */
export async function speakAndWait(
	endpoint: Endpoint,
	samples: Int16Array,
	language: ScoredLanguage,
): Promise<Timeline> {
	return speak(
		endpoint,
		withSilenceAfter(samples, silenceSeconds),
		language,
		{ max_suffix_silence: -1 },
		false,
	);
}

async function speak(
	{ url, token }: Endpoint,
	samples: Int16Array,
	language: ScoredLanguage,
	options: Omit<StartOptions, "lang_type">,
	stops: boolean,
): Promise<Timeline> {
	const client = new EarshotClient({ url, token });
	await client.start({
		lang_type: langTypes[language],
		...verbatim,
		...options,
	});
	const speaker = new Speaker();
	const reading = read(client, speaker);
	reading.catch(() => {}); // thrown by `stop` as well
	await speaker.speak(samples, (packet) => client.send(packet));
	const stoppedAtMs = speaker.nowMs;
	await client.stop();
	const timeline = await reading;
	return stops ? { ...timeline, stoppedAtMs } : timeline;
}

async function read(
	client: EarshotClient,
	speaker: Speaker,
): Promise<Pick<Timeline, "partials" | "final">> {
	const partials: Shown[] = [];
	for await (const result of client) {
		const atMs = speaker.nowMs;
		if (result.is === "partial") partials.push({ atMs, text: result.text });
		if (result.is === "completed")
			return { partials, final: { atMs, text: result.text } };
	}
	throw new Error("a session without a result");
}

/** Says clip after clip to a transcriber, as fast as it takes them. */
export async function dictate(
	{ url, token }: Endpoint,
	clips: Iterable<Int16Array>,
	language: ScoredLanguage,
): Promise<readonly string[]> {
	const client = new EarshotClient({
		url,
		token,
		namespace: "SpeechTranscriber",
		silenceTimeoutMs: 300_000,
	});
	await client.start({ lang_type: langTypes[language], ...verbatim });
	const sentences: string[] = [];
	const reading = (async () => {
		for await (const result of client)
			if (result.is === "sentence") sentences.push(result.text);
	})();
	reading.catch(() => {});
	for (const samples of clips)
		await client.send(
			new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
		);
	await client.stop();
	await reading;
	return sentences;
}
