/**
 * How many threads compute a streaming encoder's chunks: the configured number, or one. A published encoder has hundreds to thousands of small operators a chunk,
 * and threads that wait for each other between them cost more than they save, which depends on the model and on the processor. So both are measured
 * when the model is opened (docs/benchmarks/kinds.md).
 */
import type { StreamEncoder } from "./stream-encoder.js";

export interface OpenEncoder {
	readonly encoder: StreamEncoder;
	close(): Promise<void>;
}

/** Chunks of each, in turns: the fastest one counts, since other work can only make a chunk slower. */
const measuredChunks = 5;
/** Several threads take processor time from other streams, so they have to be worth it. */
const worthwhile = 0.9;
/** A chunk that takes longer is work that threads share well; with its weights the model would be slow to open twice, too. */
const longChunkMs = 40;

/** @param open the model with as many threads. @param now milliseconds. */
export async function openWithMeasuredThreads<Opened extends OpenEncoder>(
	threads: number,
	open: (threads: number) => Promise<Opened>,
	now: () => number = () => performance.now(),
): Promise<Opened> {
	const several = await open(threads);
	if (threads === 1) return several;
	let one: Opened | undefined;
	try {
		await chunkMs(several, now); // the first run of a graph takes longer
		if ((await chunkMs(several, now)) > longChunkMs) return several;
		one = await open(1);
		await chunkMs(one, now);
		const fastest = { several: longChunkMs, one: longChunkMs };
		for (let i = 0; i < measuredChunks; i++) {
			fastest.several = Math.min(fastest.several, await chunkMs(several, now));
			fastest.one = Math.min(fastest.one, await chunkMs(one, now));
		}
		const keepsSeveral = fastest.several < fastest.one * worthwhile;
		await (keepsSeveral ? one : several).close();
		return keepsSeveral ? several : one;
	} catch (error) {
		await several.close();
		await one?.close();
		throw error;
	}
}

async function chunkMs(
	{ encoder }: OpenEncoder,
	now: () => number,
): Promise<number> {
	const { chunkFrames, mels } = encoder.shape;
	const since = now();
	const { next } = await encoder.encode(
		new Float32Array(chunkFrames * mels),
		encoder.initial,
	);
	const ms = now() - since;
	encoder.release(next);
	return ms;
}
