/** Reads the kernel's information on sound cards (/proc/asound), and gives advice on errors of a device. */
import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";

/** Paths of the kernel's sound information; tests use their own. */
export interface AudioPlaces {
	readonly proc: string;
	readonly dev: string;
}

export const kernelPlaces: AudioPlaces = {
	proc: "/proc/asound",
	dev: "/dev/snd",
};

/** A device that can record. */
export interface Pcm {
	readonly card: number;
	readonly device: number;
	readonly name: string;
}

/** The process that records it. */
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

/** The kernel's list of sound cards, including those that can't record; undefined without sound support. */
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
 * The process that records the device of an ALSA name: for `hw:1,0`, `plughw:CARD=ArrayUAC10,DEV=0` and similar names exactly that card, for any other name the
 * first card in use.
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

/** @param code ALSA's name of the error. */
export function adviceFor(code: string): string {
	switch (code) {
		case "ENOENT":
		case "ENODEV":
		case "ENXIO":
			return "no such device: set device to one of those listed, or plug it in";
		case "EBUSY":
			return "stop the program that records it, or share it through a dsnoop device in /etc/asound.conf";
		case "EACCES":
		case "EPERM":
			return `allow the user to record: usermod -aG audio ${userInfo().username}, then log in again`;
		case "EINVAL":
			return "set channels, sample_rate and format to values that the card supports, or use plughw: instead of hw:";
		default:
			return "replug the card, and check the kernel log (dmesg)";
	}
}

async function readText(path: string): Promise<string | undefined> {
	return readFile(path, "utf8").catch(() => undefined);
}
