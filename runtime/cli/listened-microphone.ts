/** The microphone of `earshot listen`: a configured one, or any device. */
import { ConfigError } from "../config/config-error.js";
import type { Config, MicrophoneConfig } from "../config/schema.js";
import {
	channelsMax,
	microphoneSection,
} from "../config/sections/microphone.js";
import { readTable } from "../config/tables.js";
import { parseWakeWords } from "../words/wake-word.js";
import { UsageError } from "./verb.js";

export interface MicrophoneFlags {
	readonly file?: string;
	readonly microphone?: string;
	readonly device?: string;
	readonly channels?: string;
	readonly channelMap?: string;
	readonly array?: string;
}

/** Contains characters that an id can't have; `default` is a device on every machine. */
const deviceName = /[:,=]|^default$/;

/** Whether only the configuration knows which microphone is meant. */
export function isConfigured({ microphone: id }: MicrophoneFlags): boolean {
	return id !== undefined && !deviceName.test(id);
}

/** @returns undefined for a file. @throws UsageError, ConfigError */
export function listenedMicrophone(
	flags: MicrophoneFlags,
	config: () => Config,
): MicrophoneConfig | undefined {
	const { microphone: id, device, file } = flags;
	const given = [id, device, file].filter((it) => it !== undefined);
	if (given.length !== 1)
		throw new UsageError(
			"give exactly one of --microphone, --device and --file",
		);
	if (device !== undefined) return deviceMicrophone(device, flags);
	if (id === undefined) {
		refuseDeviceFlags(flags, "a file has none");
		return undefined;
	}
	const { microphone: configured } = config();
	const found = configured.find((it) => it.id === id);
	if (found) {
		refuseDeviceFlags(flags, `microphone ${id} has those of the configuration`);
		return found;
	}
	if (deviceName.test(id)) return deviceMicrophone(id, flags);
	const ids = configured.map((it) => it.id).join(", ") || "none";
	throw new UsageError(
		`no microphone is called ${id}; configured: ${ids}; for an ALSA device use --device ${id}`,
	);
}

/** @param given phrases separated by commas; true: the microphone's own. @throws UsageError */
export function listenedWakeWords(
	given: string | true | undefined,
	microphone: MicrophoneConfig | undefined,
): readonly string[] {
	if (given === undefined) return [];
	const entries =
		given === true
			? (microphone?.wake_words ?? [])
			: given.split(/[,，]/u).map((it) => it.trim());
	if (entries.length === 0)
		throw new UsageError(
			"--wake needs a phrase, such as --wake 小智小智, or a microphone with wake_words",
		);
	const words = parseWakeWords(entries);
	if ("fault" in words) throw new UsageError(`--wake ${words.fault}`);
	return entries;
}

/** @throws UsageError where one is given that would have no effect */
function refuseDeviceFlags(
	{ channels, channelMap, array }: MicrophoneFlags,
	why: string,
): void {
	const given = Object.entries({
		"--channels": channels,
		"--channel-map": channelMap,
		"--array": array,
	}).find(([, value]) => value !== undefined);
	if (given) throw new UsageError(`${given[0]} is for a --device: ${why}`);
}

/** @throws UsageError */
function deviceMicrophone(
	device: string,
	{ channels = "1", channelMap, array }: MicrophoneFlags,
): MicrophoneConfig {
	const table = {
		id: "device",
		device,
		channels: channelsOf(channels),
		...(channelMap !== undefined && { channel_map: channelMapOf(channelMap) }),
		...(array !== undefined && { array }),
	};
	try {
		return readTable(
			"microphone",
			microphoneSection,
			"the command line",
			table,
		);
	} catch (error) {
		if (error instanceof ConfigError) throw new UsageError(error.message);
		throw error;
	}
}

function channelsOf(text: string): number {
	const count = /^\d+$/.test(text) ? Number(text) : 0;
	if (count >= 1 && count <= channelsMax) return count;
	throw new UsageError(
		`--channels must be a number from 1 to ${channelsMax}, got ${text}`,
	);
}

function channelMapOf(text: string): number[] {
	const channels = text.split(",").map((it) => it.trim());
	if (channels.every((it) => /^\d{1,2}$/.test(it))) return channels.map(Number);
	throw new UsageError(
		`--channel-map must be numbers of channels separated by commas, such as 1,2,3,4; got ${text}`,
	);
}
