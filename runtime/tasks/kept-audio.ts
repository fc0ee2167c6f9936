/** The audio of a task, decoded again for as long as it is kept (`tasks.audio_days`). */
import { containerOf, isRaw } from "../audio/container.js";
import type { ContainerDecoder, DecodeOptions } from "../audio/decoder-port.js";
import { CodedError } from "../errors.js";
import type { AudioShelf } from "../store/audio-shelf.js";
import type { TaskAudio } from "./task-service.js";

export interface KeptAudioParts {
	readonly shelf: Pick<AudioShelf, "path" | "size">;
	readonly decoder: ContainerDecoder;
	/** Undefined where the audio is no longer kept. */
	readonly audioOf: (id: string) => TaskAudio | undefined;
}

/**
 * @param purpose what is done with the samples, for the message.
 * @returns samples in [-1, 1], mono, 16 kHz.
 * @throws CodedError 100001 where the audio is gone or has no header; what the decoder throws
 */
export async function* decodeKeptAudio(
	{ shelf, decoder, audioOf }: KeptAudioParts,
	id: string,
	purpose: "cut" | "drawn",
	options: Omit<DecodeOptions, "container">,
): AsyncGenerator<Float32Array> {
	const audio = audioOf(id);
	if (!audio) throw audioGone();
	const container = containerOf(audio.format);
	if (container === "any" || isRaw(container))
		throw new CodedError("100001", `${audio.format} audio is not ${purpose}`);
	try {
		yield* decoder.decodeFile(shelf.path(audio.audioId), {
			...options,
			container,
		});
	} catch (thrown) {
		// a decoder can't tell a file that was removed meanwhile from one that it can't read
		if ((await shelf.size(audio.audioId)) === undefined) throw audioGone();
		throw thrown;
	}
}

export function audioGone(): CodedError {
	return new CodedError(
		"100001",
		"the audio of this task is no longer kept (tasks.audio_days)",
	);
}
