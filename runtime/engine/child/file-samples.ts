/**
 * Reads a file as samples, piece by piece: never more than one piece in memory. Raw PCM and WAV are decoded here; all other formats, and containers
 * with separate channels, by the decoder port, which reads the file itself so that it can seek.
 */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Conditioner } from "../../audio/conditioner.js";
import { codecOf, isRaw, type RawFormat } from "../../audio/container.js";
import type { Container, ContainerDecoder } from "../../audio/decoder-port.js";
import { identify } from "../../audio/identify.js";
import { AudioIntake } from "../../audio/intake.js";
import { Resampler } from "../../audio/resample.js";
import type { SampleCodec } from "../../audio/sample-codec.js";
import { sniffBytesMax } from "../../audio/sniff.js";
import { PairSplitter, StereoPcm } from "../../audio/stereo.js";
import { CodedError } from "../../errors.js";
import type { FileSource } from "../file-job.js";

/** 2 s of raw PCM. */
const pieceBytes = 64 * 1024;

/**
 * @returns one array per channel: 16 kHz, gain applied. Stopping early ends the decoding.
 * @throws CodedError 200005, 200006, 200007
 */
export function channelsOf(
	source: FileSource,
	decoder: ContainerDecoder,
	signal: AbortSignal,
): AsyncGenerator<readonly Float32Array[]> {
	return source.channels === 2
		? apart(source, decoder, signal)
		: mixed(source, decoder, signal);
}

async function* mixed(
	source: FileSource,
	decoder: ContainerDecoder,
	signal: AbortSignal,
): AsyncGenerator<readonly Float32Array[]> {
	const { path, durationSecondsMax } = source;
	const intake = new AudioIntake(source);
	async function* decoded(container: Container) {
		const options = { container, durationSecondsMax, signal };
		for await (const chunk of decoder.decodeFile(path, options))
			yield [intake.acceptDecoded(chunk)];
	}
	try {
		for await (const bytes of piecesOf(path, signal)) {
			const samples = await intake.accept(bytes);
			if (intake.needsDecoder) break;
			yield [samples];
		}
		if (!intake.needsDecoder) yield [await intake.finish()];
		if (!intake.needsDecoder) return;
		intake.takeHeld(); // the decoder reads the file itself
		yield* decoded(intake.needsDecoder);
		yield [await intake.finish()];
	} finally {
		intake.close();
	}
}

async function* apart(
	source: FileSource,
	decoder: ContainerDecoder,
	signal: AbortSignal,
): AsyncGenerator<readonly Float32Array[]> {
	const { gain, durationSecondsMax, path } = source;
	const conditioners = [1, 2].map(
		() => new Conditioner(gain, durationSecondsMax),
	);
	const condition = (pair: readonly Float32Array[]) =>
		pair.map((one, i) => (conditioners[i] as Conditioner).accept(one));
	const container = await identifyFile(source);
	if (isRaw(container)) {
		const pairs = rawPairs(source, codecOf(container), signal);
		for await (const pair of pairs) yield condition(pair);
	} else {
		const splitter = new PairSplitter();
		const options = {
			container,
			durationSecondsMax,
			channels: 2,
			signal,
		} as const;
		for await (const chunk of decoder.decodeFile(path, options))
			yield condition(splitter.accept(chunk));
	}
	for (const one of conditioners) one.finish();
}

async function* rawPairs(
	{ path, sampleRateHz }: FileSource,
	codec: SampleCodec,
	signal: AbortSignal,
): AsyncGenerator<readonly Float32Array[]> {
	const resamplers = [
		await Resampler.open(sampleRateHz),
		await Resampler.open(sampleRateHz),
	] as const;
	try {
		const pcm = new StereoPcm(codec, resamplers);
		for await (const bytes of piecesOf(path, signal)) yield pcm.accept(bytes);
		yield pcm.finish();
	} finally {
		for (const one of resamplers) one.close();
	}
}

/** Identifies the format by the first bytes. @throws CodedError 200006, 200007 */
async function identifyFile({
	path,
	format,
}: FileSource): Promise<Container | RawFormat> {
	const file = await open(path);
	try {
		const head = new Uint8Array(sniffBytesMax);
		const { bytesRead } = await file.read(head, 0, head.length, 0);
		if (bytesRead === 0) throw new CodedError("200007");
		const found = identify(format, head.subarray(0, bytesRead), true);
		if (!found) throw new CodedError("200006", "unknown audio format");
		return found;
	} finally {
		await file.close();
	}
}

async function* piecesOf(
	path: string,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	const stream = createReadStream(path, { highWaterMark: pieceBytes, signal });
	for await (const bytes of stream) yield bytes as Buffer;
}
