/** What the kernel tells about sound cards (/proc/asound), and what to do about what it says of a device. */
import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";

/** Where the kernel tells about cards; tests have their own. */
export interface AudioPlaces {
	readonly proc: string;
	readonly dev: string;
}

export const kernelPlaces: AudioPlaces = {
	proc: "/proc/asound",
	dev: "/dev/snd",
};

/** A device that records. */
export interface Pcm {
	readonly card: number;
	readonly device: number;
	readonly name: string;
}

/** Who records it. */
export interface Owner {
	readonly pid: number;
	readonly command: string;
	/** A capture process of this program. */
	readonly earshot: boolean;
}

/** `01-00: USB Audio : USB Audio : playback 1 : capture 1` */
export async function capturePcms(proc: string): Promise<Pcm[]> {
	const text = (await readText(join(proc, "pcm"))) ?? "";
	return text.split("\n").flatMap((line) => {
		const found = /^(\d+)-(\d+): ([^:]*?)\s*:.*capture/.exec(line);
		return found
			? [
					{
						card: Number(found[1]),
						device: Number(found[2]),
						name: found[3] ?? "",
					},
				]
			: [];
	});
}

/** Of the device's kind: none, or some that don't record. */
export async function cardsText(proc: string): Promise<string | undefined> {
	return readText(join(proc, "cards"));
}

export async function ownerOf(
	{ card, device }: Pcm,
	proc: string,
): Promise<Owner | undefined> {
	const folder = join(proc, `card${card}`, `pcm${device}c`, "sub0");
	const status = await readText(join(folder, "status"));
	const pid = Number(/^owner_pid\s*:\s*(\d+)/m.exec(status ?? "")?.[1]);
	if (!pid) return undefined;
	const line = (await readText(`/proc/${pid}/cmdline`)) ?? "";
	const words = line.split("\0");
	return {
		pid,
		command: words[0] || "gone",
		earshot: words.includes("capture"),
	};
}

/**
 * Who records the device of an ALSA name: of `hw:1,0`, `plughw:CARD=ArrayUAC10,DEV=0` and the like that very card, of any other name the first card that
 * somebody records.
 */
export async function ownerOfDevice(
	device: string,
	proc: string = kernelPlaces.proc,
): Promise<Owner | undefined> {
	const pcms = await capturePcms(proc);
	const named = /^[a-z]*hw:(?:CARD=)?([\w-]+)(?:,(?:DEV=)?(\d+))?/i.exec(
		device,
	);
	const card = named?.[1] && (await cardNumber(named[1], proc));
	for (const pcm of pcms) {
		if (card !== undefined && String(pcm.card) !== card) continue;
		if (named?.[2] !== undefined && pcm.device !== Number(named[2])) continue;
		const owner = await ownerOf(pcm, proc);
		if (owner) return owner;
	}
	return undefined;
}

/** ` 1 [ArrayUAC10     ]: USB-Audio - ReSpeaker 4 Mic Array` */
async function cardNumber(name: string, proc: string): Promise<string> {
	const lines = ((await cardsText(proc)) ?? "").split("\n");
	for (const line of lines) {
		const found = /^\s*(\d+) \[([^\]]*?)\s*\]/.exec(line);
		if (found?.[1] && found[2] === name) return found[1];
	}
	return name;
}

/** @param code ALSA's name of what went wrong. */
export function adviceFor(code: string): string {
	switch (code) {
		case "ENOENT":
		case "ENODEV":
		case "ENXIO":
			return "no such device: set device to one of those above, or plug it in";
		case "EBUSY":
			return "stop who records it, or share it: a dsnoop device in /etc/asound.conf";
		case "EACCES":
		case "EPERM":
			return `let the user record: usermod -aG audio ${userInfo().username}, then log in again`;
		case "EINVAL":
			return "set channels, sample_rate and format to what the card has, or use plughw: instead of hw:";
		default:
			return "replug the card, and look at the kernel's log (dmesg)";
	}
}

async function readText(path: string): Promise<string | undefined> {
	return readFile(path, "utf8").catch(() => undefined);
}
