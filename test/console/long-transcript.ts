/** A transcript of hours: of its rows only those are there that can be seen soon, and all of them on paper. */
import type { BrowserContext } from "playwright-core";
import type { Test } from "tap";
import { until } from "../fixtures/eventually.js";

const segments = 400;

/** @param context is signed in. @param url of the console */
export async function longTranscript(
	t: Test,
	context: BrowserContext,
	url: string,
): Promise<void> {
	const page = await context.newPage();
	const time = (seconds: number) =>
		`${new Date(seconds * 1000).toISOString().slice(11, 19)},000`;
	const result = Array.from({ length: segments }, (_, i) => ({
		begin: time(4 * i),
		end: time(4 * i + 3),
		seg_num: i + 1,
		transcript: `Sentence ${i + 1}.`,
		confidence: 1,
		paragraph: 1,
	}));
	await page.route(/\/v1\/asrfile\/result\?/, (route) =>
		route.fulfill({
			json: {
				status: "000000",
				message: "success",
				data: { file_name: "hours.wav", result },
			},
		}),
	);
	await page.goto(`${url}#/files/hours`);
	await page.getByText("Sentence 1.", { exact: true }).waitFor();
	const rows = page.locator(".segment");
	await until(async () => (await page.title()) === "hours · Files · earshot");
	const drawn = await rows.count();
	t.ok(drawn < segments / 2, `${drawn} rows are drawn at first`);
	const search = page.getByRole("searchbox");
	for (const [wanted, count] of [
		["sentence 39", "11 places"],
		["sentence 399. ", "1 place"],
		["sentence 401", "0 places"],
	] as const) {
		await search.fill(wanted);
		await page.getByText(count, { exact: true }).waitFor();
	}
	await search.fill("");
	if (result[0]) result[0].transcript = "Corrected by another.";
	await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
	await page.getByText("Corrected by another.").waitFor();
	// told after the page itself
	await page.evaluate(`addEventListener("beforeprint", () => {
		document.body.dataset.printed = document.querySelectorAll(".segment").length;
	})`);
	await page.pdf();
	t.equal(
		await page.locator("body").getAttribute("data-printed"),
		String(segments),
	);
	await rows.nth(segments / 2).waitFor({ state: "detached" });
	await page.setViewportSize({ width: 640, height: 400 });
	await page.evaluate("scrollTo(0, 4000)");
	const bar = await page.locator(".player").boundingBox();
	t.ok(
		bar && bar.y + bar.height < 0,
		"on a screen that is low the player scrolls away with the rest",
	);
	await page.setViewportSize({ width: 390, height: 844 });
	const playback = await page.locator(".playback").boundingBox();
	t.ok(
		playback && playback.y > 0 && playback.height < 200,
		"on an upright telephone it stays, and leaves room for the text",
	);
	const tools = await search.boundingBox();
	t.ok(tools && tools.y < 0, "the search goes with the rest");
	await page.evaluate("scrollTo(0, 0)");
	await page.getByRole("link", { name: "All files" }).click();
	await until(async () => (await page.title()) === "Files · earshot");
	await page.close();
}
