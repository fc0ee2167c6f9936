/** Checks of sound cards: do any exist, may they be recorded, does another program use them, and does each configured microphone open with its settings? */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { MicrophoneConfig } from "../../config/schema.js";
import { Capture } from "../../microphones/capture.js";
import { captureSettings } from "../../microphones/from-config.js";
import type { FromCapture } from "../../microphones/protocol.js";
import {
	isStream,
	type StreamAccess,
} from "../../microphones/stream-address.js";
import type { WorkerCommand } from "../../process/worker-process.js";
import { broken, type Finding, ok, warning } from "./finding.js";
import {
	type AudioPlaces,
	adviceFor,
	capturePcms,
	cardsText,
	kernelPlaces,
	ownerOf,
	ownerOfDevice,
	type Pcm,
} from "./sound-cards.js";

/** A device that has not opened or failed within this time hangs. */
const openMsMax = 12_000;

/** One finding for each device that can record, or why there are none. */
export async function checkCards(
	places: AudioPlaces = kernelPlaces,
): Promise<Finding[]> {
	const pcms = await capturePcms(places.proc);
	if (pcms.length > 0)
		return Promise.all(pcms.map((pcm) => checkPcm(pcm, places)));
	const cards = await cardsText(places.proc);
	const says =
		cards === undefined
			? "the kernel has no sound support (no /proc/asound)"
			: /^\s*\d+ \[/m.test(cards)
				? "there are sound cards, but none of them can record"
				: "there is no sound card";
	return [
		warning(
			"sound cards",
			says,
			"plug in a microphone; on a Raspberry Pi, enable the hat's overlay (dtoverlay=... in config.txt); in a container, pass --device /dev/snd",
		),
	];
}

/** Opens the microphone as the appliance would, in a separate process. */
export async function checkMicrophone(
	microphone: MicrophoneConfig,
	places: AudioPlaces = kernelPlaces,
	command?: WorkerCommand,
	access?: StreamAccess,
): Promise<Finding> {
	const about = `microphone ${microphone.id}`;
	const { device, sample_rate: rateHz } = microphone;
	const outcome = await openingOutcome(microphone, command, access);
	if (typeof outcome === "string")
		return broken(
			about,
			`${device}: ${outcome}`,
			isStream(device) ? streamAdvice : "try again, or replug the card",
		);
	if (outcome.is === "opened") {
		const says = `${device} opens: ${outcome.channels} channels, ${outcome.rateHz} Hz, ${outcome.format}`;
		return outcome.rateHz === rateHz
			? ok(about, says)
			: warning(
					about,
					`${says}; ${rateHz} Hz were requested`,
					`set sample_rate = ${outcome.rateHz}`,
				);
	}
	const owner =
		outcome.code === "EBUSY"
			? await ownerOfDevice(device, places.proc)
			: undefined;
	if (owner?.earshot)
		return ok(about, `${device} is recorded by earshot (process ${owner.pid})`);
	return broken(
		about,
		`${device}: ${outcome.message}${owner ? `; process ${owner.pid} (${owner.command}) is using it` : ""}`,
		isStream(device) ? streamAdvice : adviceFor(outcome.code),
	);
}

const streamAdvice =
	"try the address with ffprobe; its network must be public or in outbound.allow, and its login is the credential earshot.microphone.ID, which only the service sees: without a login here, a camera that asks for one refuses this check";

async function checkPcm(pcm: Pcm, places: AudioPlaces): Promise<Finding> {
	const { card, device, name } = pcm;
	const about = `hw:${card},${device}`;
	const node = join(places.dev, `pcmC${card}D${device}c`);
	try {
		await access(node, constants.R_OK | constants.W_OK);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return code === "ENOENT"
			? broken(
					about,
					`${name}: ${node} is missing`,
					"in a container, pass --device /dev/snd",
				)
			: broken(
					about,
					`${name}: recording not permitted (${code})`,
					adviceFor("EACCES"),
				);
	}
	const owner = await ownerOf(pcm, places.proc);
	if (!owner || owner.earshot)
		return ok(about, `${name}${owner ? ", recorded by earshot" : ""}`);
	return warning(
		about,
		`${name}: process ${owner.pid} (${owner.command}) is recording it`,
		adviceFor("EBUSY"),
	);
}

function openingOutcome(
	microphone: MicrophoneConfig,
	command: WorkerCommand | undefined,
	access: StreamAccess | undefined,
): Promise<Extract<FromCapture, { is: "opened" | "trouble" }> | string> {
	return new Promise((resolve) => {
		const quiet = () => {};
		const end = (
			outcome: Extract<FromCapture, { is: "opened" | "trouble" }> | string,
		) => {
			clearTimeout(timer);
			void capture.stop().then(() => resolve(outcome));
		};
		const capture = new Capture(
			() => captureSettings(microphone, access),
			{
				onMessage: (message) => {
					if (message.is === "opened" || message.is === "trouble") end(message);
				},
				onDeath: (reason) => end(`the capture process ended: ${reason}`),
			},
			{ debug: quiet, info: quiet, warn: quiet, error: quiet },
			command,
		);
		const timer = setTimeout(
			() => end("opening the device timed out"),
			openMsMax,
		);
		capture.start();
	});
}
