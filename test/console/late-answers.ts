/** Answers that arrive late, in another order, or from a device that was started again meanwhile; and what is pressed twice. */
import type { BrowserContext, Page, Route } from "playwright-core";
import type { Test } from "tap";
import { clipFile } from "./visit.js";

/** @param context is signed in. @param url of the console. @param task has a transcript. */
export async function lateAnswers(
	t: Test,
	context: BrowserContext,
	url: string,
	task: string,
): Promise<void> {
	const page = await context.newPage();
	await page.goto(`${url}#/words`);
	await pressedTwice(t, page);
	await typedWhileSaved(t, page);
	await askedAgain(t, page);
	await page.goto(`${url}#/files`);
	await brokenOff(t, page);
	await page.goto(`${url}#/files/${task}`);
	await inOrder(t, page);
	await startedAgain(page, url);
	await page.close();
}

/** Requests that match are kept back until they are let go. */
async function heldBack(page: Page, path: RegExp, method: string) {
	const held: Route[] = [];
	let isOpen = false;
	let come = () => {};
	const first = new Promise<void>((resolve) => {
		come = resolve;
	});
	await page.route(path, (route) => {
		if (isOpen || route.request().method() !== method) return route.continue();
		held.push(route);
		come();
		return undefined;
	});
	return {
		/** There is one. */
		first,
		count: () => held.length,
		/** These, and those to come. */
		async letGo() {
			isOpen = true;
			// one that the page has broken off meanwhile can't go on
			await Promise.all(held.map((it) => it.continue().catch(() => {})));
		},
	};
}

async function pressedTwice(t: Test, page: Page): Promise<void> {
	const held = await heldBack(page, /\/v1\/hotwords$/, "POST");
	await page.getByRole("button", { name: "New list" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Name").fill("once");
	await dialog.getByRole("button", { name: "Create" }).dblclick();
	await held.first;
	await page.evaluate("new Promise(requestAnimationFrame)");
	t.equal(held.count(), 1, "what is pressed twice is done once");
	await held.letGo();
	await page.getByRole("heading", { level: 1, name: "once" }).waitFor();
}

async function typedWhileSaved(t: Test, page: Page): Promise<void> {
	const add = page.getByRole("button", { name: "Add an entry" });
	await add.click();
	await page.getByLabel("Entry 1").fill("Norland");
	const held = await heldBack(page, /\/v1\/hotwords\/[^/]+$/, "PUT");
	const save = page.getByRole("button", { name: "Save" });
	await save.click();
	await held.first;
	await add.click();
	await page.getByLabel("Entry 1").fill("Dashwood");
	await held.letGo();
	await page.getByText("Not saved yet").waitFor();
	t.equal(await page.getByLabel("Entry 1").inputValue(), "Dashwood");
	await save.click();
	await page.getByText("Saved", { exact: true }).waitFor();
	t.equal(await page.getByLabel("Entry 2").inputValue(), "Norland");
}

/** A list whose entries did not come is there without the page being loaded anew, which would cost what was typed elsewhere. */
async function askedAgain(t: Test, page: Page): Promise<void> {
	const path = /\/v1\/hotwords\/[^/]+$/;
	await page.unrouteAll();
	await page.getByRole("link", { name: "All lists" }).click();
	await page.route(path, (route) => route.abort());
	await page.getByRole("link", { name: "once" }).click();
	const alert = page.getByRole("alert");
	await alert.getByText("No connection").waitFor();
	await page.unrouteAll();
	await alert.getByRole("button", { name: "Try again" }).click();
	await page.getByLabel("Entry 2").waitFor();
	t.equal(await alert.count(), 0);
}

/** An upload that is cancelled makes room for the next. */
async function brokenOff(t: Test, page: Page): Promise<void> {
	const held = await heldBack(page, /\/v1\/asrfile\/upload$/, "POST");
	const file = (name: string) => ({ ...clipFile, name });
	await page
		.locator("input[type=file]")
		.setInputFiles([
			file("broken-off.wav"),
			file("waiting.wav"),
			file("sent.wav"),
		]);
	await held.first;
	await page.getByRole("button", { name: "Cancel: waiting.wav" }).click();
	await page.getByRole("button", { name: "Cancel: broken-off.wav" }).click();
	await held.letGo();
	await page.getByRole("button", { name: /: sent\.wav$/ }).waitFor();
	await page.getByRole("link", { name: "sent.wav" }).waitFor();
	t.equal(await page.getByText("broken-off.wav").count(), 0);
	t.equal(await page.getByText("waiting.wav").count(), 0);
}

/** The second correction waits until the device has answered the first: it may otherwise keep the older of both. */
async function inOrder(t: Test, page: Page): Promise<void> {
	const segment = page.locator(".segment").first();
	await segment.getByRole("button", { name: "Correct this text" }).click();
	const held = await heldBack(page, /\/v1\/asrfile\/tasks\/[^/]+$/, "PATCH");
	await segment.getByRole("textbox").fill("older");
	await held.first;
	await segment.getByRole("textbox").fill("newer");
	// timers of a page fire in their order: that which sends is due before this one
	await page.evaluate("new Promise((done) => setTimeout(done, 1000))");
	t.equal(held.count(), 1, "one change is under way at a time");
	await held.letGo();
	await page.getByText("Saved", { exact: true }).waitFor();
}

/** Its status is refused while it starts, and its log begins anew. */
async function startedAgain(page: Page, url: string): Promise<void> {
	let tries = 0;
	await page.route(/\/v1\/status\/events$/, (route) =>
		tries++ === 0 ? route.fulfill({ status: 503 }) : route.continue(),
	);
	await page.route(/\/v1\/logs\?/, (route) =>
		tries < 2
			? route.fulfill({
					json: {
						status: "000000",
						message: "success",
						data: [{ number: 1_000_000, line: '{"msg":"of the run before"}' }],
					},
				})
			: route.continue(),
	);
	await page.goto(`${url}#/device`);
	await page.getByRole("region", { name: "Health" }).waitFor();
	await page.getByRole("log").getByText("token created").first().waitFor();
}
