/** Live: what is spoken, and a file in its place. */
import type { Page } from "playwright-core";
import type { Test } from "tap";
import { eventually } from "../fixtures/eventually.js";
import { clipFile, clipWords, type Visit } from "./visit.js";

/** In a page: the tracks that it opened last. */
const tracksOfMicrophone = `{
	const { mediaDevices } = navigator;
	const open = mediaDevices.getUserMedia.bind(mediaDevices);
	mediaDevices.getUserMedia = async (wanted) => {
		const stream = await open(wanted);
		window.tracks = stream.getTracks();
		return stream;
	};
}`;

export async function livePage(t: Test, visit: Visit): Promise<void> {
	const { page } = visit.main;
	await t.test("what is said appears while it is said", async (t) => {
		const { page, browser } = await visit.whereSomebodySpeaks();
		t.teardown(() => browser.close());
		await page.getByRole("button", { name: "Speak" }).click();
		await page.locator("p.partial", { hasText: clipWords }).waitFor();
		await page.getByRole("button", { name: "Stop" }).click();
		await page.locator("[aria-live] p", { hasText: clipWords }).waitFor();
		await page.getByRole("button", { name: "Speak" }).waitFor();
		const measurements = await page.locator(".measurements").textContent();
		t.match(measurements, /First word after\s*[\d,]+ ms/);
		t.match(measurements, /Final text after\s*[\d,]+ ms/);
		t.match(await page.locator(".live-text").textContent(), /% sure/);
		const uploads: string[] = [];
		await page.route(/\/v1\/asrfile\/upload$/, async (route) => {
			uploads.push(route.request().postDataBuffer()?.toString("latin1") ?? "");
			await route.fulfill({
				json: { status: "000000", message: "success", data: {} },
			});
		});
		await page.getByRole("button", { name: "Send to files" }).dblclick();
		await page.getByText("The recording is in Files").waitFor();
		await page.unroute(/\/v1\/asrfile\/upload$/);
		t.equal(uploads.length, 1, "what is pressed twice is sent once");
		t.match(uploads[0], /name="enable_words"\s+true/);
		await page.getByRole("button", { name: "Speak" }).click();
		await page.getByRole("button", { name: "Stop" }).waitFor();
		t.equal(
			await page.getByText("The recording is in Files").count(),
			0,
			"the next recording is not there yet",
		);
		await page.getByRole("button", { name: "Stop" }).click();
		await page.getByRole("button", { name: "Speak" }).waitFor();
		await page.getByRole("button", { name: "Clear" }).click();
		t.equal(await page.locator("[aria-live] p").count(), 0);
	});

	await t.test("the level is there before anything is said", async (t) => {
		await page.getByRole("button", { name: "Check the level" }).click();
		const loud = page.locator('[role="meter"]:not([aria-valuenow="-60"])');
		await loud.waitFor();
		await page.getByRole("button", { name: "End the check" }).click();
		await loud.waitFor({ state: "detached" });
		t.pass("and gone");
	});

	await t.test("a file is heard in place of a microphone", async (t) => {
		await page.getByRole("tab", { name: "An audio file" }).click();
		await page.locator("input[type=file]").setInputFiles(clipFile);
		await page.locator("[aria-live] p", { hasText: clipWords }).waitFor();
		t.pass("its text is there");
	});
	await silentRecording(t, page);
	await unplugged(t, page);
	await t.test("a microphone stays where it can be stopped", async (t) => {
		await page.getByRole("tab", { name: "This microphone" }).click();
		await page.getByRole("button", { name: "Speak" }).click();
		const stop = page.getByRole("button", { name: "Stop" });
		await stop.waitFor();
		await page.getByRole("tab", { name: "An audio file" }).click();
		await page.getByText("The microphone is on").waitFor();
		t.equal(await page.locator("input[type=file]").count(), 0);
		await page.getByRole("tab", { name: "This microphone" }).click();
		await stop.click();
		await page.getByRole("button", { name: "Speak" }).waitFor();
		await page.getByRole("tab", { name: "An audio file" }).click();
		await page.getByRole("button", { name: "Choose an audio file" }).waitFor();
	});

	await t.test("whoever signs out is not heard any more", async (t) => {
		const { context, page } = await visit.signedIn();
		await page.evaluate(tracksOfMicrophone);
		await page.getByRole("tab", { name: "An audio file" }).click();
		await page.locator("input[type=file]").setInputFiles(clipFile);
		const text = page.locator("[aria-live] p", { hasText: clipWords });
		await text.waitFor();
		await page.getByRole("tab", { name: "This microphone" }).click();
		const opened = page.waitForEvent("websocket");
		await page.getByRole("button", { name: "Speak" }).click();
		const socket = await opened;
		await page.getByRole("button", { name: "Stop" }).waitFor();
		const closed = socket.waitForEvent("close");
		await page.getByRole("button", { name: "Settings" }).click();
		await page.getByRole("button", { name: "Sign out" }).click();
		await closed;
		await eventually("the microphone to be closed", () =>
			page.evaluate<boolean>(
				`window.tracks.every(({ readyState }) => readyState === "ended")`,
			),
		);
		await page.getByRole("textbox").fill(visit.earshot.token);
		await page.keyboard.press("Enter");
		await page.getByRole("button", { name: "Speak" }).waitFor();
		t.equal(await text.count(), 0, "and nobody else reads it");
		await context.close();
	});
}

/** @param page of Live, where files are chosen */
export async function silentRecording(t: Test, page: Page): Promise<void> {
	await t.test("a file without speech is said to have none", async (t) => {
		const results = ["", "Good morning."];
		await page.route(/\/v1\/asr\/api\?/, (route) => {
			const data = { task_id: "short", result: results.shift() };
			return route.fulfill({
				json: { status: "000000", message: "success", data },
			});
		});
		const notice = page.getByText("No speech was found in this recording");
		const field = page.locator("input[type=file]");
		await field.setInputFiles(clipFile);
		await notice.waitFor();
		await field.setInputFiles(clipFile);
		await page.getByText("Good morning.").waitFor();
		t.equal(await notice.count(), 0, "until there is some");
		await page.unroute(/\/v1\/asr\/api\?/);
	});
}

/** @param page of Live */
export async function unplugged(t: Test, page: Page): Promise<void> {
	await t.test(
		"a microphone that is unplugged is said to be gone",
		async (t) => {
			await page.getByRole("tab", { name: "This microphone" }).click();
			await page.evaluate(tracksOfMicrophone);
			await page.getByRole("button", { name: "Speak" }).click();
			await page.getByRole("button", { name: "Stop" }).waitFor();
			await page.evaluate(
				`for (const track of window.tracks) { track.stop(); track.dispatchEvent(new Event("ended")); }`,
			);
			const notice = page.getByText("The microphone is gone");
			await notice.waitFor();
			await page.getByRole("button", { name: "Speak" }).click();
			await page.getByRole("button", { name: "Stop" }).waitFor();
			t.equal(await notice.count(), 0, "until there is one again");
			await page.getByRole("button", { name: "Stop" }).click();
			await page.getByRole("button", { name: "Speak" }).waitFor();
		},
	);
}
