/**
 * Negotiates capture parameters with a card (snd_pcm_hw_params, snd_pcm_sw_params): an unsupported request is an error that names what is supported.
 */
import {
	CaptureError,
	type CaptureRequest,
	type SampleFormat,
	sampleFormats,
} from "../../runtime/microphones/capture-port.js";
import * as lib from "./libasound.js";

export interface NegotiatedHardware {
	readonly format: SampleFormat;
	readonly rateHz: number;
	readonly periodFrames: number;
}

/** @throws CaptureError */
export async function negotiateHardware(
	pcm: bigint,
	request: CaptureRequest,
): Promise<NegotiatedHardware> {
	const handle = lib.pointer(pcm);
	const space = Buffer.alloc(lib.sizeOf("snd_pcm_hw_params_sizeof"));
	const params = lib.buffer(space);
	lib.call("snd_pcm_hw_params_any", handle, params);
	lib.call(
		"snd_pcm_hw_params_set_access",
		handle,
		params,
		lib.int(lib.accessInterleaved),
	);
	const format = chooseFormat(handle, params, request.format);
	setChannels(handle, params, request.channels);
	// our own resampler is better than the plug layer's
	lib.callUnchecked(
		"snd_pcm_hw_params_set_rate_resample",
		handle,
		params,
		lib.int(0),
	);
	const rateHz = near("snd_pcm_hw_params_set_rate_near", request.rateHz);
	near("snd_pcm_hw_params_set_period_size_near", framesIn(request.periodMs));
	near("snd_pcm_hw_params_set_buffer_size_near", framesIn(request.bufferMs));
	await lib.callInThread("snd_pcm_hw_params", handle, params);
	const periodFrames = Number(
		read64(params, "snd_pcm_hw_params_get_period_size"),
	);
	setSoftware(handle, periodFrames);
	return { format, rateHz, periodFrames };

	function framesIn(ms: number): number {
		return Math.round((rateHz * ms) / 1000);
	}

	/** @returns the actual value. */
	function near(name: string, value: number): number {
		const slot = Buffer.alloc(8);
		slot.writeBigUInt64LE(BigInt(value));
		const direction = lib.buffer(Buffer.alloc(4));
		// the function for the buffer size takes no direction: an extra argument is harmless in either ABI
		lib.call(name, handle, params, lib.buffer(slot), direction);
		return Number(slot.readBigUInt64LE());
	}
}

type Argument = ReturnType<typeof lib.buffer>;

function chooseFormat(
	handle: Argument,
	params: Argument,
	wanted: SampleFormat | undefined,
): SampleFormat {
	const number = (format: SampleFormat) =>
		lib.int(lib.call("snd_pcm_format_value", lib.text(format)));
	const supported = sampleFormats.filter(
		(format) =>
			lib.callUnchecked(
				"snd_pcm_hw_params_test_format",
				handle,
				params,
				number(format),
			) === 0,
	);
	const format = wanted ?? supported[0];
	if (!format || !supported.includes(format))
		throw new CaptureError(
			"EINVAL",
			"snd_pcm_hw_params_set_format",
			`the card does not record ${wanted ?? "in any supported format"}; it supports ${supported.join(", ") || "other formats only"}`,
		);
	lib.call("snd_pcm_hw_params_set_format", handle, params, number(format));
	return format;
}

function setChannels(
	handle: Argument,
	params: Argument,
	channels: number,
): void {
	const wanted = lib.unsigned(channels);
	const name = "snd_pcm_hw_params_set_channels";
	if (
		lib.callUnchecked(
			"snd_pcm_hw_params_test_channels",
			handle,
			params,
			wanted,
		) === 0
	) {
		lib.call(name, handle, params, wanted);
		return;
	}
	const min = read32(params, "snd_pcm_hw_params_get_channels_min");
	const max = read32(params, "snd_pcm_hw_params_get_channels_max");
	throw new CaptureError(
		"EINVAL",
		name,
		`the card does not record ${channels} channels; it supports ${min === max ? min : `${min} to ${max}`}`,
	);
}

function setSoftware(handle: Argument, periodFrames: number): void {
	const space = Buffer.alloc(lib.sizeOf("snd_pcm_sw_params_sizeof"));
	const params = lib.buffer(space);
	lib.call("snd_pcm_sw_params_current", handle, params);
	// recording begins with the first read
	lib.call(
		"snd_pcm_sw_params_set_start_threshold",
		handle,
		params,
		lib.frames(1),
	);
	lib.call(
		"snd_pcm_sw_params_set_avail_min",
		handle,
		params,
		lib.frames(periodFrames),
	);
	lib.call("snd_pcm_sw_params", handle, params);
}

function read32(params: Argument, name: string): number {
	const slot = Buffer.alloc(4);
	lib.call(name, params, lib.buffer(slot));
	return slot.readUInt32LE();
}

function read64(params: Argument, name: string): bigint {
	const slot = Buffer.alloc(8);
	const direction = lib.buffer(Buffer.alloc(4));
	lib.call(name, params, lib.buffer(slot), direction);
	return slot.readBigUInt64LE();
}
