/** Files with any speech, read, recognized and resumed in any way. */
import assert from "node:assert/strict";
import type { FileEvent } from "../../runtime/engine/file-job.js";
import { cutAt, someLengths } from "../audio/cuts.js";
import type { Property } from "../fuzz/property.js";
import { below, type Random } from "../fuzz/random.js";
import { speech } from "../session/rehearsal.js";
import {
	fileOf,
	pcmOf,
	transcribe,
	utteranceEventsIn,
} from "./recognized-file.js";

type Folder = Parameters<typeof fileOf>[0];

interface PiecesCase {
	readonly partsMs: readonly number[];
	readonly lengths: readonly number[];
}

export const readingMakesNoDifference = (t: Folder): Property<PiecesCase> => ({
	name: "engine/pieces",
	promise: "however the file is read, the same is heard",
	draw(random) {
		const partsMs = talk(random, 150);
		const samples = speech(...partsMs).length;
		return { partsMs, lengths: someLengths(random, samples, 40_000) };
	},
	async check({ partsMs, lengths }) {
		const pcm = pcmOf(speech(...partsMs));
		// bit for bit equal in both ways: it decides between equally quiet windows where a passage is cut
		const samples = samplesOf(pcm);
		const whole = await transcribe(fileOf(t, pcm));
		const wav = Buffer.alloc(12);
		wav.write("....ftypM4A ", "latin1");
		const pieces = await transcribe(fileOf(t, wav, "cut.m4a"), {
			source: { format: "m4a" },
			decoder: {
				async *decodeFile() {
					for (const piece of cutAt(samples, lengths)) yield piece.slice();
				},
				decodeBytes: () => {
					throw new Error("a file can be sought in");
				},
			},
		});
		assert.deepEqual(
			utteranceEventsIn(pieces.events),
			utteranceEventsIn(whole.events),
		);
		for (const { samples } of whole.requests)
			assert.ok(samples.length <= 28 * 16_000, `${samples.length} samples`);
	},
});

interface ResumeCase {
	/** Of each channel. */
	readonly partsMs: readonly (readonly number[])[];
	/** How much of each was recognized before, as a share of the whole. */
	readonly shares: readonly number[];
}

export const jobsGoOn = (t: Folder): Property<ResumeCase> => ({
	name: "engine/resume",
	promise: "a job that goes on from anywhere tells the rest, by channel",
	draw(random) {
		const channels = 1 + below(random, 2);
		const each = <T>(draw: () => T) => Array.from({ length: channels }, draw);
		return {
			partsMs: each(() => talk(random, 120)),
			shares: each(random),
		};
	},
	async check({ partsMs, shares }) {
		const path = fileOf(t, pcmOf(...partsMs.map((it) => speech(...it))));
		const source = { channels: partsMs.length === 2 ? 2 : 1 } as const;
		const whole = (await transcribe(path, { source })).events;
		const stops = shares.map((share, i) => {
			const reported = utteranceEventsIn(whole, i + 1);
			return { reported, next: Math.floor(share * (reported.length + 1)) };
		});
		const resume = stops.map(
			({ reported, next }) =>
				reported[next - 1]?.resume ?? { sample: 0, index: 1 },
		);
		const rest = (await transcribe(path, { source, job: { resume } })).events;
		for (const [i, { reported, next }] of stops.entries())
			assert.deepEqual(
				textsOf(utteranceEventsIn(rest, i + 1)),
				textsOf(reported.slice(next)),
				`channel ${i + 1} from passage ${next}`,
			);
	},
});

function textsOf(passages: ReturnType<typeof utteranceEventsIn>) {
	return passages.flatMap(({ utterances }) =>
		utterances.map(({ index, text }) => ({ index, text })),
	);
}

interface CopiesCase {
	readonly partsMs: readonly number[];
	readonly copies: number;
	/** Segments in each batch, and turns of the event loop that it takes; repeated when used up. */
	readonly batches: readonly {
		readonly most: number;
		readonly turns: number;
	}[];
}

export const copiesReportInOrder = (t: Folder): Property<CopiesCase> => ({
	name: "engine/copies",
	promise: "what several copies recognize at once is reported in order",
	draw: (random) => ({
		partsMs: talk(random, 300),
		copies: 1 + below(random, 4),
		batches: Array.from({ length: 20 }, () => ({
			most: 1 + below(random, 8),
			turns: below(random, 30),
		})),
	}),
	async check({ partsMs, copies, batches }) {
		const path = fileOf(t, pcmOf(speech(...partsMs)));
		const whole = await transcribe(path);
		const announced = new Announced();
		let batch = 0;
		const { events } = await transcribe(path, {
			copies,
			together: () => batches[batch++ % batches.length]?.most ?? 1,
			turns: () => batches[batch % batches.length]?.turns ?? 0,
			onEvent: (event) => announced.note(event),
		});
		assert.deepEqual(
			utteranceEventsIn(events),
			utteranceEventsIn(whole.events),
		);
		assert.equal(announced.unreported.size, 0);
		return announced.longest > 8 ? "many at once" : "few at once";
	},
});

/** An engine that dies now died of a passage not reported yet, and all of these were announced. */
class Announced {
	readonly unreported = new Set<number>();
	longest = 0;

	note(event: FileEvent): void {
		if (event.is === "trying") {
			this.unreported.clear();
			for (const { endSample } of event.stretches)
				this.unreported.add(endSample);
			this.longest = Math.max(this.longest, this.unreported.size);
		}
		if (event.is === "heard")
			assert.ok(
				this.unreported.delete(event.resume.sample),
				"it was announced",
			);
	}
}

/** Speech with pauses of all lengths, up to about this many seconds: in the form that `speech` takes. */
export function talk(random: Random, seconds: number): number[] {
	const parts: number[] = [];
	const untilMs = random() * seconds * 1000;
	let ms = 0;
	do {
		const spoken = 32 * (3 + below(random, 100));
		const silent =
			32 * (random() < 0.9 ? 2 + below(random, 40) : 160 + below(random, 60));
		parts.push(spoken, -silent);
		ms += spoken + silent;
	} while (ms < untilMs);
	return parts;
}

function samplesOf(pcm: Buffer): Float32Array {
	const values = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
	const samples = new Float32Array(values.length);
	for (let i = 0; i < values.length; i++)
		samples[i] = (values[i] as number) / 32_768;
	return samples;
}
