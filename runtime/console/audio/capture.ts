/** The browser's microphone as frames of 40 ms: 16-bit samples, mono, 16 kHz. */

export const rateHz = 16_000;
export const frameMs = 40;

export interface Frame {
	readonly samples: Int16Array;
	/** 0 to 1, of the unclipped input. */
	readonly peak: number;
}

export interface Capture {
	/** Microphones, with names now that one was allowed. */
	readonly devices: readonly MediaDeviceInfo[];
	stop(): Promise<void>;
}

/** The input is cut off at 1: what reaches it has been louder. */
export const clippingPeak = 0.985;

/** @param deviceId empty: the system's choice. @param onGone it was unplugged, or is no longer allowed. @throws DOMException as `getUserMedia` */
export async function startCapture(
	deviceId: string,
	onFrame: (frame: Frame) => void,
	onGone: () => void = () => {},
): Promise<Capture> {
	const stream = await openMicrophone(deviceId);
	for (const track of stream.getTracks()) track.onended = onGone;
	let context: AudioContext | undefined;
	const stop = async () => {
		for (const track of stream.getTracks()) track.stop();
		await context?.close();
	};
	try {
		const opened = await openContext(stream);
		context = opened.context;
		await context.audioWorklet.addModule(
			new URL(WORKLET_FILE, document.baseURI).href,
		);
		const node = new AudioWorkletNode(context, "capture", {
			numberOfOutputs: 0,
		});
		node.port.onmessage = ({
			data,
		}: MessageEvent<{ frame: ArrayBuffer; peak: number }>) =>
			onFrame({ samples: new Int16Array(data.frame), peak: data.peak });
		opened.source.connect(node);
		await context.resume();
		const devices = (await navigator.mediaDevices.enumerateDevices()).filter(
			({ kind }) => kind === "audioinput",
		);
		return { devices, stop };
	} catch (thrown) {
		await stop(); // e.g. the device has been updated: the microphone must not stay on
		throw thrown;
	}
}

/** One that was chosen at an earlier visit may be gone: then the system's choice. */
async function openMicrophone(deviceId: string): Promise<MediaStream> {
	const audio: MediaTrackConstraints = {
		channelCount: 1,
		echoCancellation: false,
		noiseSuppression: false,
		autoGainControl: true,
	};
	const { mediaDevices } = navigator;
	if (!deviceId) return mediaDevices.getUserMedia({ audio });
	try {
		const chosen = { ...audio, deviceId: { exact: deviceId } };
		return await mediaDevices.getUserMedia({ audio: chosen });
	} catch (thrown) {
		if ((thrown as Error).name !== "OverconstrainedError") throw thrown;
		return mediaDevices.getUserMedia({ audio });
	}
}

/** Firefox takes a microphone only in a context of the system's rate; the worklet resamples then. */
async function openContext(stream: MediaStream) {
	const wanted = new AudioContext({ sampleRate: rateHz });
	try {
		return { context: wanted, source: wanted.createMediaStreamSource(stream) };
	} catch {
		await wanted.close();
		const context = new AudioContext();
		return { context, source: context.createMediaStreamSource(stream) };
	}
}
