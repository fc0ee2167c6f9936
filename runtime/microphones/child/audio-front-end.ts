/**
 * Converts a card's frames to the audio that is recognized: splits channels, removes the DC offset, resamples to 16 kHz, reduces the array to one signal, and
 * measures the audio. Uses no clock and no device.
 */

import { Beamformer } from "../../audio/array/beamformer.js";
import type { SampleFormat } from "../../audio/array/channels.js";
import { splitChannels } from "../../audio/array/channels.js";
import { DirectionFinder } from "../../audio/array/direction-finder.js";
import type { Geometry } from "../../audio/array/geometry.js";
import { SteeredDirection } from "../../audio/array/steered-direction.js";
import { rmsDbfs } from "../../audio/level.js";
import { Resampler } from "../../audio/resample.js";
import { s16Bytes } from "../../audio/sample-codec.js";
import { sampleRateHz } from "../../audio/sample-rate.js";
import type { CapturedAudio } from "../protocol.js";
import { SoundCheck } from "./sound-check.js";

export interface FrontEndSettings {
	readonly format: SampleFormat;
	readonly channels: number;
	readonly rateHz: number;
	/** Empty: all. */
	readonly channelMap: readonly number[];
	readonly geometry: Geometry | undefined;
}

interface SteeredArray {
	readonly finder: DirectionFinder;
	readonly beam: Beamformer;
	readonly steered: SteeredDirection;
}

/** Interval of direction estimates: a correlation costs as much as a dozen frames. */
const directionSamples = 0.16 * sampleRateHz;

export async function createFrontEnd(
	settings: FrontEndSettings,
): Promise<AudioFrontEnd> {
	const resamplers: Resampler[] = [];
	const channels = settings.channelMap.length || settings.channels;
	for (let m = 0; m < channels; m++)
		resamplers.push(await Resampler.open(settings.rateHz));
	return new AudioFrontEnd(settings, resamplers);
}

export class AudioFrontEnd {
	readonly #settings: FrontEndSettings;
	readonly #channels: readonly number[];
	readonly #resamplers: readonly Resampler[];
	readonly #check: SoundCheck;
	readonly #array: SteeredArray | undefined;
	#samplesSinceDirections = 0;

	/** Use `createFrontEnd`. */
	constructor(settings: FrontEndSettings, resamplers: readonly Resampler[]) {
		const { channelMap, channels, geometry } = settings;
		this.#settings = settings;
		this.#channels =
			channelMap.length > 0
				? channelMap
				: Array.from({ length: channels }, (_, at) => at);
		this.#resamplers = resamplers;
		this.#check = new SoundCheck(this.#channels.length, settings.rateHz);
		this.#array = geometry && {
			finder: new DirectionFinder(geometry),
			beam: new Beamformer(geometry),
			steered: new SteeredDirection(),
		};
	}

	get check(): SoundCheck {
		return this.#check;
	}

	/** @param bytes whole frames. */
	accept(bytes: Uint8Array): CapturedAudio {
		const { format, channels } = this.#settings;
		const raw = splitChannels(bytes, format, channels, this.#channels);
		this.#check.accept(raw);
		const resampled = raw.map((samples, m) =>
			(this.#resamplers[m] as Resampler).accept(samples),
		);
		const levelsDbfs = resampled.map(rmsDbfs);
		const { voice, directions } = this.#array
			? this.#steer(resampled, this.#array)
			: { voice: average(resampled), directions: undefined };
		return {
			bytes: s16Bytes(voice),
			levelsDbfs,
			...(directions && { directions }),
		};
	}

	close(): void {
		for (const resampler of this.#resamplers) resampler.close();
	}

	#steer(channels: readonly Float32Array[], array: SteeredArray) {
		array.finder.accept(channels);
		this.#samplesSinceDirections += channels[0]?.length ?? 0;
		let directions: Float32Array | undefined;
		if (this.#samplesSinceDirections >= directionSamples) {
			this.#samplesSinceDirections = 0;
			directions = array.finder.take();
			const azimuthDeg = directions && array.steered.note(directions);
			if (azimuthDeg !== undefined) array.beam.steer(azimuthDeg);
		}
		return { voice: array.beam.accept(channels), directions };
	}
}

function average(channels: readonly Float32Array[]): Float32Array {
	const [first = new Float32Array(0)] = channels;
	if (channels.length === 1) return first;
	const mean = new Float32Array(first.length);
	for (const samples of channels)
		for (let i = 0; i < mean.length; i++)
			mean[i] = (mean[i] as number) + (samples[i] as number) / channels.length;
	return mean;
}
