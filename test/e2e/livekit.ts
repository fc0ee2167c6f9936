/** LiveKit's plugin for Node: a program that gives it a file, and speech while it is spoken. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderWithPackages } from "../fixtures/npm-packages.js";

const packages = [
	"@livekit/agents-plugin-openai@1.9.0",
	"@livekit/agents@1.9.0",
	"@livekit/rtc-node@0.13.34",
	"zod@4.6.7",
];

/**
 * @returns the program: its arguments are base URL, key and a WAV file at 24 kHz; it prints `{file, live}`. Undefined where the packages (300 MB) are not
 * installed and `EARSHOT_TEST_FRAMEWORKS` is not set.
 */
export async function livekitProgram(): Promise<string | undefined> {
	const folder = await folderWithPackages("livekit", packages, {
		onlyWith: "EARSHOT_TEST_FRAMEWORKS",
	});
	if (folder === "") return undefined;
	const program = join(folder, "livekit.mjs");
	writeFileSync(program, text);
	return program;
}

const text = `import { readFileSync } from "node:fs";
import { initializeLogger, stt as speech } from "@livekit/agents";
import { STT } from "@livekit/agents-plugin-openai";
import { AudioFrame } from "@livekit/rtc-node";

initializeLogger({ pretty: false, level: "silent" });
const [baseURL, apiKey, clip] = process.argv.slice(2);
const wav = readFileSync(clip);
const rate = wav.readUInt32LE(24);
const samples = new Int16Array(new Uint8Array(wav.subarray(44)).buffer);
const frame = (part) => new AudioFrame(part, rate, 1, part.length);
const file = new STT({ baseURL, apiKey, model: "whisper-1", useRealtime: false });
const whole = await file.recognize(frame(samples));
const live = new STT({ baseURL, apiKey, model: "gpt-4o-transcribe" });
const stream = live.stream();
const step = rate / 20;
for (let at = 0; at < samples.length; at += step) stream.pushFrame(frame(samples.slice(at, at + step)));
stream.pushFrame(frame(new Int16Array(rate * 2))); // silence, which ends the turn
for await (const { type, alternatives } of stream)
	if (type === speech.SpeechEventType.FINAL_TRANSCRIPT) {
		console.log(JSON.stringify({ file: whole.alternatives[0].text, live: alternatives[0].text }));
		break; // no event follows it
	}
process.exit(0); // its connections stay open
`;
