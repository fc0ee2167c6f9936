/** A transcript of six hours, scrolled by a line with each frame of the screen. */
import type { Page } from "playwright-core";
import { judged, type Measurement } from "../report.js";
import { percentile } from "../statistics.js";
import { mainThreadMs } from "./main-thread.js";

const hours = 6;
const segmentSeconds = 4;
const scrollMs = 8000;
const pixelsPerFrame = 60;
/** 60 frames a second, less what a clock's grain and one late frame take. */
const perSecondMin = 59;

export async function scrolling(
	page: Page,
	url: string,
): Promise<readonly Measurement[]> {
	const result = segments();
	await page.route("**/v1/asrfile/result?*", (route) =>
		route.fulfill({
			json: {
				status: "000000",
				message: "success",
				data: { file_name: "six hours.wav", result },
			},
		}),
	);
	const begun = performance.now();
	await page.goto(`${url}/console/#/files/six-hours`);
	await page.locator(".segment").first().waitFor();
	const shownMs = performance.now() - begun;
	const used = await mainThreadMs(page);
	const before = await used();
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
	const perFrameMs = ((await used()) - before) / frames.length;
	const gaps = frames.slice(1).map((at, i) => at - (frames[i] ?? at));
	const perSecond = (1000 * gaps.length) / gaps.reduce((a, b) => a + b, 0);
	const drawn = await page.locator(".segment").count();
	await page.unroute("**/v1/asrfile/result?*");
	return [
		{
			what: `console: a transcript of ${hours} h (${result.length} segments) scrolled, frames a second; 99th percentile between two`,
			earshot: `${perSecond.toFixed(1)}; ${percentile(gaps, 0.99).toFixed(1)} ms`,
			goal: judged("60 frames a second", perSecond >= perSecondMin),
		},
		{
			what: "console: the same, processor time of the page's main thread for a frame",
			earshot: `${perFrameMs.toFixed(1)} ms`,
			goal: judged("< 16.7 ms", perFrameMs < 1000 / 60),
		},
		{
			what: "console: the same, from the navigation to its first rows; rows drawn at the end",
			earshot: `${shownMs.toFixed(0)} ms; ${drawn}`,
			goal: "-",
		},
	];
}

function segments() {
	const time = (seconds: number) =>
		`${new Date(seconds * 1000).toISOString().slice(11, 19)},000`;
	const words = "and so the long day went on without a word".split(" ");
	return Array.from({ length: (hours * 3600) / segmentSeconds }, (_, i) => ({
		seg_num: i + 1,
		paragraph: 1,
		cluster_id: 1 + (i % 3),
		begin: time(i * segmentSeconds),
		end: time((i + 1) * segmentSeconds),
		transcript: words.join(" "),
		words: words.map((word, n) => ({
			word,
			is_punc: false,
			start_time: i * 4000 + n * 400,
			end_time: i * 4000 + n * 400 + 400,
		})),
	}));
}
