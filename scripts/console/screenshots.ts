/** Pictures of the console on a real appliance with a little of everything in it. Usage: scripts/screenshots FOLDER [PAGE ... | --readme] [--behind prefix|ingress] */
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { launch, watched } from "../../test/console/chromium.js";
import { ingressProxy, prefixProxy } from "../../test/console/prefix-proxy.js";
import { RunningAppliance } from "../../test/e2e/running-appliance.js";
import { claimedPort } from "../../test/fixtures/claimed-port.js";

const widths = [360, 900, 1600];
const locales = ["en-US", "zh-CN", "ja-JP"];
const schemes = ["light", "dark"] as const;
const spokenClip = "test/clips/en-librivox-0870.wav";
/** Time for pictures, fonts and figures of a page to settle. */
const settleMs = 1500;

const { positionals, values } = parseArgs({
	allowPositionals: true,
	options: {
		readme: { type: "boolean", default: false },
		/** What stands between the browser and the device. */
		behind: { type: "string", default: "" },
	},
});
const [folder, ...which] = positionals;
if (!folder || !["", "prefix", "ingress"].includes(values.behind))
	throw new Error(
		"Usage: scripts/screenshots FOLDER [PAGE ... | --readme] [--behind prefix|ingress]",
	);
mkdirSync(folder, { recursive: true });
const ingressPort = await claimedPort();
const earshot = await RunningAppliance.start({
	EARSHOT_INGRESS_ENABLED: String(values.behind === "ingress"),
	EARSHOT_INGRESS_HOST: "127.0.0.1",
	EARSHOT_INGRESS_PORT: String(ingressPort),
	EARSHOT_INGRESS_ALLOW: "127.0.0.1",
});
const proxy =
	values.behind === "ingress"
		? await ingressProxy(ingressPort)
		: values.behind === "prefix"
			? await prefixProxy(earshot.url, "/home/asr")
			: undefined;
const address = `${(proxy ?? earshot).url}/console/`;
const browser = await launch({ spoken: resolve(spokenClip) });
try {
	const task = await furnish();
	if (values.readme) await forReadme(task);
	else await everything(task);
} finally {
	await browser.close();
	proxy?.close();
	await earshot.dispose();
}

async function everything(task: string): Promise<void> {
	for (const locale of locales) {
		// in Home Assistant nobody signs in
		if (isWanted("sign-in") && values.behind !== "ingress")
			await signInPage(locale);
		const page = await signedIn(locale);
		for (const colorScheme of schemes) {
			await page.emulateMedia({ colorScheme });
			for (const [name, place] of placesOf(task))
				for (const width of isWanted(name) ? widths : []) {
					await page.setViewportSize({ width, height: 900 });
					await goTo(page, place);
					await shot(page, `${name}-${locale}-${colorScheme}-${width}`);
				}
		}
	}
}

function isWanted(name: string): boolean {
	return which.length === 0 || which.includes(name);
}

async function signInPage(locale: string): Promise<void> {
	const { context, page } = await watched(browser, { locale });
	for (const colorScheme of schemes)
		for (const width of widths) {
			await page.emulateMedia({ colorScheme });
			await page.setViewportSize({ width, height: 900 });
			await goTo(page, "");
			await shot(page, `sign-in-${locale}-${colorScheme}-${width}`);
		}
	await context.close();
}

async function shot(page: Page, name: string): Promise<void> {
	const path = join(folder ?? "", `${name}.png`);
	// as high as the page: navigation at the bottom of a screen stays there, and what is drawn only when it is seen is drawn
	const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
	const whole = (await page.evaluate(
		"document.documentElement.scrollHeight",
	)) as number;
	await page.setViewportSize({ width, height: Math.max(height, whole) });
	await page.screenshot({ path });
	await page.setViewportSize({ width, height });
}

/** Half of the size at which they are seen. */
async function forReadme(task: string): Promise<void> {
	const page = await signedIn("en-US");
	await page.setViewportSize({ width: 1000, height: 640 });
	for (const [name, place] of placesOf(task)) {
		if (["api", "lists", "set-up"].includes(name)) continue;
		await page.emulateMedia({
			colorScheme: name === "device" ? "dark" : "light",
		});
		await goTo(page, place);
		await inUse(page, name);
		const path = join(folder ?? "", `console-${name}.png`);
		await page.screenshot({ path, scale: "css" });
	}
}

/** With what a page is for. */
async function inUse(page: Page, name: string): Promise<void> {
	if (name === "live") {
		await page.getByRole("button", { name: "Speak" }).click();
		await page.locator("[aria-live] p").waitFor();
		await page.getByRole("button", { name: "Stop" }).click();
		await page.getByRole("button", { name: "Speak" }).waitFor();
	} else if (name === "words") {
		await goTo(page, "words/correction-words/spelling");
		await page
			.locator("main input[type=file]")
			.last()
			.setInputFiles(spokenClip);
		const outcome = page.locator(".clip-result");
		await outcome.waitFor();
		await outcome.scrollIntoViewIfNeeded();
	}
}

function placesOf(task: string): readonly (readonly [string, string])[] {
	return [
		["live", "live"],
		["files", "files"],
		["transcript", `files/${task}`],
		["words", "words/hotwords/names"],
		["lists", "words"],
		["set-up", "live/set-up"],
		["device", "device"],
		["access", "access"],
		["api", "api"],
	];
}

async function goTo(page: Page, place: string): Promise<void> {
	await page.goto(`${address}#/${place}`);
	await page.getByRole("heading", { level: 1 }).waitFor();
	await page.waitForTimeout(settleMs);
}

async function signedIn(locale: string): Promise<Page> {
	const { stdout } = await earshot.command("pair", "--name", "first");
	const [code = ""] = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(stdout) ?? [];
	const { page } = await watched(browser, { locale });
	await page.goto(`${address}#pair=${code}`);
	await page.getByRole("navigation").waitFor();
	await page.locator("input[type=file], .card").first().waitFor();
	return page;
}

/** Its first steps are taken: Live shows itself, not their offer. */
async function setUp(): Promise<void> {
	const { stdout } = await earshot.command(
		...["token", "create", "--name", "operator", "--scope", "admin"],
	);
	await fetch(`${earshot.url}/v1/device`, {
		method: "PATCH",
		headers: { authorization: `Bearer ${stdout.trim()}` },
		body: JSON.stringify({ name: "Reading room", set_up: true }),
	});
}

/** Something to see. @returns a transcript's task */
async function furnish(): Promise<string> {
	const headers = { authorization: `Bearer ${earshot.token}` };
	await setUp();
	const words = ["Dashwood", "Norland Park", "Willoughby", "Brandon"];
	const lists = {
		hotwords: { id: "names", name: "Names of the novel", words },
		"correction-words": {
			id: "spelling",
			name: "House spelling",
			words: ["John,Jonathan", "Norland,Norland Park"],
		},
	};
	for (const [kind, list] of Object.entries(lists))
		await fetch(`${earshot.url}/v1/${kind}`, {
			method: "POST",
			headers,
			body: JSON.stringify({ ...list, lang_type: "en-US" }),
		});
	let task = "";
	for (const clip of ["en-librivox-0930", "en-librivox-0870"]) {
		const form = new FormData();
		form.set("lang_type", "en-US");
		form.set("format", "wav");
		form.set("enable_words", "true");
		form.set("clusters", "0");
		const bytes = readFileSync(`test/clips/${clip}.wav`);
		form.set("file", new Blob([bytes]), `${clip}.wav`);
		const answer = await fetch(`${earshot.url}/v1/asrfile/upload`, {
			method: "POST",
			headers,
			body: form,
		});
		const { data } = (await answer.json()) as { data: { task_id: string } };
		task = data.task_id;
	}
	const url = `${earshot.url}/v1/asrfile/result?task_id=${task}`;
	for (;;) {
		const { data } = (await (await fetch(url)).json()) as { data: object };
		if ("result" in data) return task;
		await new Promise((done) => setTimeout(done, settleMs));
	}
}
