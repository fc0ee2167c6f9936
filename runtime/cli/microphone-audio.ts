/**
 * A microphone of this machine, for `earshot listen`: the audio of its capture process, its levels and the direction of the sound. A device that can't be
 * opened at the start is an error; one that is lost later is awaited.
 */
import { loudestDirection } from "../audio/array/loudest-direction.js";
import { EarshotError } from "../client/client-error.js";
import { Capture } from "../microphones/capture.js";
import {
	type CaptureSettings,
	type FromCapture,
	periodMs,
} from "../microphones/protocol.js";
import { adviceFor, ownerOfDevice } from "./checks/sound-cards.js";

/** @param levelsDbfs of each microphone. @param azimuthDeg of the latest sound, if an array can locate it. */
export type Meter = (
	levelsDbfs: readonly number[],
	azimuthDeg: number | undefined,
) => void;

/** How far a slow appliance may lag behind: two seconds. */
const waitingMax = 2000 / periodMs;

/** @param stopped ends it, also while the device is awaited. */
export async function* microphoneAudio(
	settings: CaptureSettings,
	stopped: AbortSignal,
	meter: Meter,
	warn: (text: string) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
	const waiting: Uint8Array[] = [];
	let wake = () => {};
	let failure: Extract<FromCapture, { is: "trouble" }> | undefined;
	let opened = false;
	let azimuthDeg: number | undefined;
	const onMessage = (message: FromCapture) => {
		if (message.is === "opened") opened = true;
		if (message.is === "trouble") {
			if (opened) warn(message.message);
			else failure = message;
		}
		if (message.is === "audio") {
			const { bytes, levelsDbfs, directions } = message.audio;
			azimuthDeg = directions
				? loudestDirection(directions)?.azimuthDeg
				: azimuthDeg;
			meter(levelsDbfs, azimuthDeg);
			waiting.push(bytes);
			if (waiting.length > waitingMax) waiting.shift();
		}
		wake();
	};
	const quiet = () => {};
	const capture = new Capture(
		() => settings,
		{ onMessage, onDeath: (reason) => warn(reason) },
		{ debug: quiet, info: quiet, warn: quiet, error: quiet },
	);
	stopped.addEventListener("abort", () => wake());
	capture.start();
	try {
		while (!stopped.aborted) {
			if (failure !== undefined)
				throw new EarshotError("", await refusal(settings.device, failure));
			const next = waiting.shift();
			if (next) yield next;
			else
				await new Promise<void>((resolve) => {
					wake = resolve;
				});
		}
	} finally {
		await capture.stop();
	}
}

/** Why the device can't be opened, and what to do about it. */
async function refusal(
	device: string,
	{ code, message }: { readonly code: string; readonly message: string },
): Promise<string> {
	const owner = code === "EBUSY" ? await ownerOfDevice(device) : undefined;
	const whose = owner?.earshot
		? `; the appliance on this machine is recording it (process ${owner.pid}): stop it (systemctl stop earshot), or share the card through a dsnoop device in /etc/asound.conf`
		: `${owner ? `; process ${owner.pid} (${owner.command}) is using it` : ""}; ${adviceFor(code)}`;
	return `${device}: ${message}${whose}; see earshot doctor audio`;
}
