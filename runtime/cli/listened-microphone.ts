/** Which microphone `earshot listen` was told: one of the configuration, or any device. */
import type { Command } from "commander";
import type { MicrophoneConfig } from "../config/schema.js";
import { microphoneSection } from "../config/sections/microphone.js";
import { readTable } from "../config/tables.js";
import { configFor, UsageError } from "./verb.js";

export interface MicrophoneFlags {
	readonly file?: string;
	readonly microphone?: string;
	readonly device?: string;
	readonly channels: string;
	readonly array?: string;
}

/** What no id can be, and the one device that has a name like an id on every machine. */
const deviceName = /[:,=]|^default$/;

/** @returns undefined where a file is listened to. @throws UsageError, ConfigError */
export function listenedMicrophone(
	flags: MicrophoneFlags,
	command: Command,
): MicrophoneConfig | undefined {
	const { microphone: id, device, file } = flags;
	const given = [id, device, file].filter((it) => it !== undefined);
	if (given.length !== 1)
		throw new UsageError("give one of --microphone, --device and --file");
	if (device !== undefined) return deviceMicrophone(device, flags);
	if (id === undefined) return undefined;
	const { microphone: configured } = configFor(command).values;
	const found = configured.find((it) => it.id === id);
	if (found) return found;
	if (deviceName.test(id)) return deviceMicrophone(id, flags);
	const ids = configured.map((it) => it.id).join(", ") || "none";
	throw new UsageError(
		`no microphone is called ${id}; configured: ${ids}; a device of ALSA is --device ${id}`,
	);
}

function deviceMicrophone(
	device: string,
	{ channels, array }: MicrophoneFlags,
): MicrophoneConfig {
	return readTable("microphone", microphoneSection, "the command line", {
		id: "device",
		device,
		channels: Number(channels),
		...(array !== undefined && { array }),
	});
}
