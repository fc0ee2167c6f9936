/** One appliance and one browser for all tests of the console's pages, and how a visitor of them signs in. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { clipBytes } from "../audio/clips.js";
import { wavBytes } from "../audio/wav-bytes.js";
import { RunningAppliance } from "../e2e/running-appliance.js";
import { claimedPort } from "../fixtures/claimed-port.js";
import { launch, type Watched, watched } from "./chromium.js";

const speech = clipBytes("en-librivox-0870.wav");
/** "And Mr. John Dashwood had then leisure to consider": it is recognized some twenty times, so the rest is left out. */
export const clip = wavOf(speech.subarray(0, 3.4 * 32_000));
/** Of what it says, in any spelling of the recognizer. */
export const clipWords = /dashwood|leisure|consider/i;
export const clipFile = {
	name: "clip.wav",
	mimeType: "audio/wav",
	buffer: clip,
};
export const pageNames = ["live", "files", "words", "device", "access", "api"];

export interface Visit {
	readonly earshot: RunningAppliance;
	readonly browser: Browser;
	/** Of the listener for Home Assistant, which asks for no login. */
	readonly ingressPort: number;
	/** Of the console. */
	readonly url: string;
	/** Signed in with a code, and kept open by all tests in turn. */
	readonly main: Watched;
	/** @returns a pairing code; few may be typed in a minute. */
	code(...scope: string[]): Promise<string>;
	/** In a browser of its own, whose microphone has speech without a pause: a slow machine shows partial text of it too. The caller closes it. */
	whereSomebodySpeaks(): Promise<Watched & { browser: Browser }>;
	/** In a window of its own. @param url of a proxy before the device */
	signedIn(url?: string, locale?: string): Promise<Watched>;
	dispose(): Promise<void>;
}

export async function startVisit(): Promise<Visit> {
	const folder = mkdtempSync(join(tmpdir(), "earshot-console-"));
	const ingressPort = await claimedPort();
	const earshot = await RunningAppliance.start({
		EARSHOT_INGRESS_ENABLED: "true",
		EARSHOT_INGRESS_HOST: "127.0.0.1",
		EARSHOT_INGRESS_PORT: String(ingressPort),
		EARSHOT_INGRESS_ALLOW: "127.0.0.1",
	});
	const browser = await launch({ spoken: spokenLater(folder, clip) });
	const { stdout: admin } = await earshot.command(
		...["token", "create", "--name", "visitor", "--scope", "admin"],
	);
	const code = async (...scope: string[]) => {
		const { stdout } = await earshot.command("pair", ...scope);
		return /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(stdout)?.[0] ?? "";
	};
	const enter = async (
		url: string,
		typed: string,
		locale = "en-US",
		from = browser,
	) => {
		const seen = await watched(from, { locale });
		await seen.page.goto(`${url}/console/`);
		await seen.page.getByRole("textbox").fill(typed);
		await seen.page.keyboard.press("Enter");
		await seen.page.getByRole("navigation").waitFor();
		return seen;
	};
	const main = await enter(earshot.url, await code());
	return {
		earshot,
		browser,
		main,
		code,
		ingressPort,
		url: `${earshot.url}/console/`,
		async whereSomebodySpeaks() {
			const endless = Buffer.concat(Array(12).fill(speech));
			const spoken = spokenLater(folder, wavOf(endless));
			const other = await launch({ spoken });
			const seen = await enter(earshot.url, admin.trim(), "en-US", other);
			return { ...seen, browser: other };
		},
		signedIn: (url = earshot.url, locale) => enter(url, admin.trim(), locale),
		async dispose() {
			await browser.close();
			await earshot.dispose();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** Speaks only after it has been asked for and the socket is open. @param wav what is said */
function spokenLater(folder: string, wav: Buffer): string {
	const data = Buffer.concat([Buffer.alloc(2 * 32_000), wav.subarray(44)]);
	const file = join(folder, `spoken-${wav.length}.wav`);
	writeFileSync(file, wavOf(data));
	return file;
}

/** @param data 16-bit samples at 16 kHz */
export function wavOf(data: Buffer): Buffer {
	const about = { tag: 1, channels: 1, sampleRateHz: 16_000, bits: 16 };
	return Buffer.from(wavBytes({ ...about, data }));
}
