/** Debian's Chromium, with a microphone that says a clip, and no way to any host but this machine. */
import {
	type Browser,
	type BrowserContext,
	chromium,
	type Page,
} from "playwright-core";
import { chromiumFile } from "../fixtures/chromium-file.js";

export interface BrowserOptions {
	/** WAV file that the fake microphone says, once. */
	readonly spoken?: string;
	readonly args?: readonly string[];
	/** Of its user, with the certificates that this user trusts. */
	readonly home?: string;
}

export function launch({
	spoken,
	args = [],
	home,
}: BrowserOptions = {}): Promise<Browser> {
	return chromium.launch({
		executablePath: chromiumFile ?? "",
		chromiumSandbox: false,
		...(home && { env: { ...process.env, HOME: home } }),
		args: [
			...["--disable-gpu", "--disable-quic", "--no-first-run"],
			...["--disable-background-networking", "--disable-component-update"],
			...["--use-fake-device-for-media-stream"],
			...["--use-fake-ui-for-media-stream"],
			...(spoken ? [`--use-file-for-fake-audio-capture=${spoken}`] : []),
			"--autoplay-policy=no-user-gesture-required",
			...args,
		],
	});
}

/** A browser on a busy machine. */
const waitMsMax = 240_000;

/** What pages of it wanted from other hosts than this machine, and what went wrong in them. */
export interface Watched {
	readonly context: BrowserContext;
	readonly page: Page;
	readonly elsewhere: string[];
	readonly errors: string[];
}

export async function watched(
	browser: Browser,
	options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Watched> {
	const context = await browser.newContext(options);
	context.setDefaultTimeout(waitMsMax);
	const elsewhere: string[] = [];
	await context.route(
		({ hostname }) => !["127.0.0.1", "localhost"].includes(hostname),
		(route) => {
			elsewhere.push(route.request().url());
			return route.abort();
		},
	);
	const page = await context.newPage();
	const errors: string[] = [];
	page.on("pageerror", (error) => errors.push(String(error)));
	page.on("console", (message) => {
		if (message.type() === "error") errors.push(message.text());
	});
	return { context, page, elsewhere, errors };
}
