/**
 * The console in Chromium on this machine: what a first visit loads, how soon Live can be used on a slowed processor, how a transcript of six hours scrolls, how
 * long serving the page holds the main process, and what Lighthouse says of every page.
 * Usage: scripts/bench console [--only PART,PART] [--loads N] [--runs N] [--pages PAGE,PAGE] [--record]
 * Parts: load, interactive, scrolling, serving, lighthouse (its package is installed outside the repository on first use).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import {
	program,
	RunningAppliance,
	repository,
} from "../../test/e2e/running-appliance.js";
import { chromiumFile, noChromium } from "../../test/fixtures/chromium-file.js";
import { interactive } from "./console/interactive.js";
import { lighthouse, lighthousePages } from "./console/lighthouse.js";
import { scrolling } from "./console/scrolling.js";
import { firstLoad, serving } from "./console/serving.js";
import { type Measurement, report } from "./report.js";

const { values } = parseArgs({
	options: {
		only: {
			type: "string",
			default: "load,interactive,scrolling,serving,lighthouse",
		},
		loads: { type: "string", default: "5" },
		runs: { type: "string", default: "3" },
		pages: { type: "string", default: lighthousePages.join() },
		record: { type: "boolean", default: false },
	},
});
if (noChromium) throw new Error(noChromium);

/** Lighthouse finds the browser by it. */
const debuggingPort = 9377;

const folder = mkdtempSync(join(tmpdir(), "earshot-console-"));
const watch = join(repository, "build/test/hostile/fixtures/watched.js");
const [node, ...rest] = program;
const earshot = await RunningAppliance.start(
	{ LOOP_WATCH: folder, EARSHOT_LOG_LEVEL: "info" },
	undefined,
	[node, "--import", watch, ...rest, "serve"],
);
const context = await chromium.launchPersistentContext(join(folder, "user"), {
	executablePath: chromiumFile ?? "",
	chromiumSandbox: false,
	locale: "en-US",
	args: [
		...[`--remote-debugging-port=${debuggingPort}`, "--disable-gpu"],
		...["--no-first-run", "--disable-background-networking"],
		...["--disable-component-update", "--use-fake-device-for-media-stream"],
		"--use-fake-ui-for-media-stream",
	],
});
const measurements: Measurement[] = [];
try {
	const { stdout } = await earshot.command("pair", "--name", "bench");
	const [code = ""] = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(stdout) ?? [];
	const page = context.pages()[0] ?? (await context.newPage());
	await page.goto(`${earshot.url}/console/#pair=${code}`);
	await page.getByRole("navigation").waitFor();
	const { url } = earshot;
	const parts: Readonly<Record<string, () => Promise<readonly Measurement[]>>> =
		{
			load: () => firstLoad(url),
			interactive: () => interactive(page, url, Number(values.loads)),
			scrolling: () => scrolling(page, url),
			serving: () => serving(url, join(folder, "serve")),
			lighthouse: () =>
				lighthouse(page, earshot, {
					port: debuggingPort,
					runs: Number(values.runs),
					pages: values.pages.split(","),
				}),
		};
	for (const name of values.only.split(",")) {
		const part = parts[name];
		if (!part) throw new Error(`no part ${name}`);
		measurements.push(...(await part()));
	}
} finally {
	await context.close();
	await earshot.dispose();
	rmSync(folder, { recursive: true, force: true });
}
report(measurements, values.record);
