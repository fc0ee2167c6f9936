/**
 * Opens recognitions for the audio of one client: one, or one for each of two interleaved channels. The bytes are written once, cut anywhere;
 * an engine gets the channels apart, so nothing behind the lane knows of them.
 */
import { ChannelCutter } from "../audio/channel-cutter.js";
import {
	type AudioSource,
	formatOf,
	type SourceOptions,
} from "./audio-source.js";
import type { SessionEvent } from "./events.js";
import type { Lane, Recognition, RecognitionCaller } from "./lane-port.js";
import type { RecognitionOptions } from "./options.js";

export interface AudioSession
	extends Omit<Recognition, "events" | "unusedBytes"> {
	/** Of all channels. */
	readonly unusedBytes: number;
	/** The events of each channel, first channel first; each must be read. */
	readonly channels: readonly AsyncIterable<SessionEvent>[];
}

/** @param caller takes a slot for each channel that is told apart. @throws CodedError 100004 (retryAfterSeconds set) if there is none in time. */
export async function openAudio(
	lane: Lane,
	source: AudioSource,
	options: Omit<RecognitionOptions, keyof SourceOptions>,
	caller: RecognitionCaller,
	signal?: AbortSignal,
): Promise<AudioSession> {
	const whole = { ...options, ...formatOf(source) };
	const isApart = source.is === "raw" && source.apart;
	const first = await lane.open(whole, caller, signal);
	if (!isApart) return sessionOf([first], (bytes) => [bytes]);
	const cutter = new ChannelCutter(source.width, source.channels);
	try {
		const second = await lane.open(whole, caller, signal);
		return sessionOf([first, second], (bytes) => cutter.accept(bytes));
	} catch (error) {
		first.cancel();
		throw error;
	}
}

/** @param apart returns the bytes of each recognition. */
function sessionOf(
	recognitions: readonly Recognition[],
	apart: (bytes: Uint8Array) => readonly Uint8Array[],
): AudioSession {
	const each = (act: (one: Recognition) => void) => () => {
		for (const one of recognitions) act(one);
	};
	return {
		channels: recognitions.map((one) => one.events),
		write: (bytes) => {
			const pieces = apart(bytes);
			let hasRoom = true;
			for (const [i, one] of recognitions.entries())
				hasRoom = one.write(pieces[i] as Uint8Array) && hasRoom;
			return hasRoom;
		},
		onDrain: (listener) => {
			for (const one of recognitions) one.onDrain(listener);
		},
		endSentence: each((one) => one.endSentence()),
		finish: each((one) => one.finish()),
		cancel: each((one) => one.cancel()),
		get unusedBytes() {
			return recognitions.reduce((sum, one) => sum + (one.unusedBytes ?? 0), 0);
		},
	};
}
