/**
 * Runs an intake over bytes, in one piece or several, as an endpoint does.
 */
import { AudioIntake, type IntakeOptions } from "../../runtime/audio/intake.js";
import { CodedError, type StatusCode } from "../../runtime/errors.js";
import { join } from "./signals.js";

const rawOptions: IntakeOptions = {
	format: "pcm",
	sampleRateHz: 16000,
	gain: 1,
	durationSecondsMax: 60,
};

export function openIntake(options: Partial<IntakeOptions>): AudioIntake {
	return new AudioIntake({ ...rawOptions, ...options });
}

/** @returns all samples. */
export async function listen(
	pieces: readonly Uint8Array[],
	options: Partial<IntakeOptions>,
): Promise<Float32Array> {
	const intake = openIntake(options);
	try {
		const samples: Float32Array[] = [];
		for (const piece of pieces) samples.push(await intake.accept(piece));
		samples.push(await intake.finish());
		return join(samples);
	} finally {
		intake.close();
	}
}

/** @returns status and message of the CodedError that `work` throws. */
export async function refusal(
	work: () => Promise<unknown>,
): Promise<{ status: StatusCode; message: string }> {
	try {
		await work();
	} catch (failure) {
		if (failure instanceof CodedError)
			return { status: failure.status, message: failure.message };
		throw failure;
	}
	throw new Error("nothing was refused");
}
