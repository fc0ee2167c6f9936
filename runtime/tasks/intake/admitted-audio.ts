/** Checks whether a file may be transcribed. Its bytes are inspected before the upload is acknowledged (docs/decisions.md sections 3 and 11). */
import { open } from "node:fs/promises";
import { type AudioFacts, inspect } from "../../audio/inspect.js";
import type { ContainerProbe } from "../../audio/probe-port.js";
import { CodedError } from "../../errors.js";
import type { AudioDraft } from "../../store/audio-shelf.js";
import type { FileOptions } from "../file-options.js";
import { audioSecondsMax } from "../file-options.js";
import {
	channelsMax,
	checkFileSize,
	type FileSizes,
	formatsOf,
} from "./limits.js";

/** @returns the facts about its audio. @throws CodedError 200004 to 200007; the signal's reason */
export async function admittedAudio(
	draft: Pick<AudioDraft, "path" | "bytes">,
	options: FileOptions,
	sizes: FileSizes,
	probe: ContainerProbe,
	signal: AbortSignal,
): Promise<AudioFacts> {
	const facts = await inspectFile(draft, options, probe, signal);
	const { format, channels, audioMs, hasVideo } = facts;
	const formats: readonly string[] = formatsOf[options.variant];
	if (!formats.includes(format))
		throw new CodedError(
			"200006",
			`the file is ${format}; this kind of transcription takes ${formats.join(", ")}`,
		);
	if (!hasVideo) checkFileSize(draft.bytes, sizes.audio_file_bytes_max);
	if (channels < 1 || channels > channelsMax)
		throw new CodedError(
			"200006",
			`audio must be mono or stereo, got ${channels} channels`,
		);
	if (audioMs > audioSecondsMax[options.variant] * 1000)
		throw new CodedError(
			"200005",
			`audio must be ${options.variant === "vip" ? "shorter than 6" : "at most 5"} hours long`,
		);
	return facts;
}

async function inspectFile(
	{ path, bytes }: Pick<AudioDraft, "path" | "bytes">,
	{ variant, format, sampleRateHz, channels }: FileOptions,
	probe: ContainerProbe,
	signal: AbortSignal,
): Promise<AudioFacts> {
	const durationSecondsMax = audioSecondsMax[variant];
	const file = await open(path, "r");
	try {
		const read = async (offset: number, length: number) => {
			const buffer = new Uint8Array(length);
			const { bytesRead } = await file.read(buffer, 0, length, offset);
			return buffer.subarray(0, bytesRead);
		};
		return await inspect(
			{ bytes, read },
			{ format, sampleRateHz, channels },
			(container) =>
				probe.probeFile(path, { container, durationSecondsMax, signal }),
		);
	} finally {
		await file.close();
	}
}
