/**
 * A recording of real speech through a job on the real models: without interruption, and resumed at each point where an engine might have died.
 */
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import type { Engine } from "../../runtime/engine/child/open-core.js";
import type { Resume } from "../../runtime/engine/file-job.js";
import { clipBytes } from "../audio/clips.js";
import { closeEngine, openFileEngine, transcribePath } from "./real-file.js";

const secondBytes = 32_000;
const silences = [0.4, 6, 1, 0.2, 2];

/** The repository's English clips but the one that shows nothing more, with silences of all lengths between them. */
function recording(): Buffer {
	const names = readdirSync("test/clips").filter(
		(it) => it.startsWith("en-") && !it.includes("0920"),
	);
	return Buffer.concat(
		names.flatMap((name, i) => [
			clipBytes(name),
			Buffer.alloc(secondBytes * (silences[i % silences.length] ?? 0)),
		]),
	);
}

t.test("an interrupted job gives the same utterances", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "earshot-hear-"));
	const path = join(folder, "recording.pcm");
	const bytes = recording();
	writeFileSync(path, bytes);
	const transcribe = async (engine: Engine, resume: readonly Resume[]) => {
		const changes = { words: true, punctuation: true };
		const { events, audioMs } = await transcribePath(
			engine,
			path,
			changes,
			resume,
		);
		t.equal(audioMs, Math.round(bytes.length / 32));
		return events;
	};
	const alone = await openFileEngine(join(folder, "spool"), 1);
	const whole = await transcribe(alone, []);
	await closeEngine(alone);
	const utterances = whole.flatMap((it) => it.utterances);
	const text = utterances.map((it) => it.text).join(" ");
	t.match(text, /Dashwood.*young man.*amiable/is);
	t.ok(utterances.length >= 4, text);
	for (const [i, one] of utterances.entries()) {
		t.equal(one.index, i + 1);
		t.ok(
			one.endMs > one.beginMs &&
				one.beginMs >= (utterances[i - 1]?.beginMs ?? 0),
		);
		t.match(one.text, /[.,!?]$/, "with a mark");
		for (const word of one.words)
			t.ok(word.startMs >= one.beginMs && word.endMs <= one.endMs);
	}
	// resumed by an engine that recognizes several segments at a time
	const pair = await openFileEngine(join(folder, "spool"), 2);
	for (const [i, { resume }] of whole.entries()) {
		if (i === whole.length - 1) break;
		const rest = (await transcribe(pair, [resume])).flatMap(
			(it) => it.utterances,
		);
		const wanted = whole.slice(i + 1).flatMap((it) => it.utterances);
		t.same(
			rest.map(({ index, text, beginMs }) => ({ index, text, beginMs })),
			wanted.map(({ index, text, beginMs }) => ({ index, text, beginMs })),
			`from ${resume.sample / 16_000} s`,
		);
	}
	await closeEngine(pair);
});
