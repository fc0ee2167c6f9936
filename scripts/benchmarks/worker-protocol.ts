/**
 * How the benchmarks talk to a contender, in whatever language it is written: a line of JSON on stdin for each clip, a line of JSON on stdout
 * for each answer, the first line being the contender's version once its model is loaded. The contender times its own work, from samples in
 * memory to text, so that neither pipes nor file reading count.
 */
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface WorkerRequest {
	/** 16 kHz mono 16-bit WAV. */
	readonly path: string;
	/** zh, ja or en; "multilingual" to those who find languages themselves. */
	readonly language: string;
	/** Separated by spaces; only asked of those who know any. */
	readonly hotwords?: string;
}

export interface WorkerAnswer {
	readonly text: string;
	/** From samples to text. */
	readonly seconds: number;
}

/** The contender's side: announces itself, then answers until stdin ends. */
export async function answerRequests(
	version: string,
	answer: (request: WorkerRequest) => Promise<WorkerAnswer>,
): Promise<void> {
	await writeLine({ version });
	for await (const line of createInterface({ input: process.stdin }))
		await writeLine(await answer(JSON.parse(line) as WorkerRequest));
}

async function writeLine(value: unknown): Promise<void> {
	if (!process.stdout.write(`${JSON.stringify(value)}\n`))
		await once(process.stdout, "drain");
}
