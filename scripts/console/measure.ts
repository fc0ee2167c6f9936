/**
 * Figures of the console, in Chromium on this machine: how soon Live can be used on a processor slowed four times, how a transcript of six hours scrolls, and
 * how long serving the page holds the main process. Usage: scripts/prepare chromium && node build/scripts/console/measure.js
 */
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launch, watched } from "../../test/console/chromium.js";
import {
	program,
	RunningAppliance,
	repository,
} from "../../test/e2e/running-appliance.js";

const slowdown = 4;
const loads = 5;
const hours = 6;
const segmentSeconds = 4;
const scrollMs = 8000;
const pixelsPerFrame = 60;

const folder = mkdtempSync(join(tmpdir(), "earshot-measure-"));
const watch = join(repository, "build/test/hostile/fixtures/watched.js");
const [node, ...rest] = program;
const earshot = await RunningAppliance.start(
	{ LOOP_WATCH: folder },
	undefined,
	[node, "--import", watch, ...rest, "serve"],
);
const browser = await launch();
try {
	const { stdout } = await earshot.command("pair", "--name", "measure");
	const [code = ""] = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(stdout) ?? [];
	const { page } = await watched(browser, { locale: "en-US" });
	await page.goto(`${earshot.url}/console/#pair=${code}`);
	await page.getByRole("navigation").waitFor();
	await interactive(page);
	await scrolling(page);
	await serving();
} finally {
	await browser.close();
	await earshot.dispose();
	rmSync(folder, { recursive: true, force: true });
}

/** From the navigation until Speak is there and answers. */
async function interactive(page: Page): Promise<void> {
	const session = await page.context().newCDPSession(page);
	await session.send("Network.enable");
	for (const cached of [false, true]) {
		await session.send("Network.setCacheDisabled", { cacheDisabled: !cached });
		await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
		const taken: number[] = [];
		for (let i = 0; i < loads; i++) {
			await page.goto("about:blank");
			await page.goto(`${earshot.url}/console/#/live`, { waitUntil: "commit" });
			taken.push(
				await page.evaluate(`new Promise((done) => {
					const look = () => document.querySelector(".speak button:not(:disabled)")
						? setTimeout(() => done(performance.now())) : requestAnimationFrame(look);
					look();
				})`),
			);
		}
		say(`live-interactive${cached ? "-cached" : ""}-ms`, taken);
	}
	await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
}

async function scrolling(page: Page): Promise<void> {
	const count = (hours * 3600) / segmentSeconds;
	const time = (seconds: number) =>
		`${new Date(seconds * 1000).toISOString().slice(11, 19)},000`;
	const words = "and so the long day went on without a word".split(" ");
	const result = Array.from({ length: count }, (_, i) => ({
		...{ seg_num: i + 1, paragraph: 1, cluster_id: 1 + (i % 3) },
		begin: time(i * segmentSeconds),
		end: time((i + 1) * segmentSeconds),
		transcript: words.join(" "),
		words: words.map((word, n) => ({
			...{ word, is_punc: false },
			start_time: i * 4000 + n * 400,
			end_time: i * 4000 + n * 400 + 400,
		})),
	}));
	await page.route("**/v1/asrfile/result?*", (route) =>
		route.fulfill({
			json: {
				...{ status: "000000", message: "success" },
				data: { file_name: "six hours.wav", result },
			},
		}),
	);
	const begun = performance.now();
	await page.goto(`${earshot.url}/console/#/files/six-hours`);
	await page.locator(".segment").first().waitFor();
	say("transcript-shown-ms", [performance.now() - begun]);
	const frames = (await page.evaluate(`new Promise((done) => {
		const times = [];
		const end = performance.now() + ${scrollMs};
		const step = (at) => {
			times.push(at);
			scrollBy(0, ${pixelsPerFrame});
			at < end ? requestAnimationFrame(step) : done(times);
		};
		requestAnimationFrame(step);
	})`)) as number[];
	const gaps = frames.slice(1).map((at, i) => at - (frames[i] ?? at));
	gaps.sort((a, b) => a - b);
	const perSecond = (1000 * gaps.length) / gaps.reduce((a, b) => a + b, 0);
	const late = gaps.filter((it) => it > 34).length;
	const drawn = await page.locator(".segment").count();
	say("transcript-frames-per-second", [perSecond]);
	say("transcript-frames-later-than-34-ms-of-1000", [
		(1000 * late) / gaps.length,
	]);
	say("transcript-rows-drawn", [drawn]);
}

/** A hundred times all that a first visit loads. */
async function serving(): Promise<void> {
	const index = await (await fetch(`${earshot.url}/console/`)).text();
	const names = [...index.matchAll(/(?:src|href)="([^"]+)"/g)].map(
		([, name = ""]) => name,
	);
	await longestTurnMs();
	for (let i = 0; i < 100; i++)
		await Promise.all(
			["", ...names].map(async (name) => {
				const answer = await fetch(`${earshot.url}/console/${name}`);
				await answer.arrayBuffer();
			}),
		);
	say("main-process-longest-turn-ms", [await longestTurnMs()]);
}

function longestTurnMs(): Promise<number> {
	return new Promise((done, fail) => {
		const socket = connect(join(folder, "serve"));
		socket.on("error", fail);
		socket.once("data", (text) => {
			socket.destroy();
			done(Number(text));
		});
		socket.write("?");
	});
}

function say(name: string, values: readonly number[]): void {
	console.log(name, values.map((it) => it.toFixed(1)).join(" "));
}
