/** Files that are being sent are not lost by a slip: neither by one that is dropped beside its place, nor by closing the page, nor with the connection. */
import type { BrowserContext, Page } from "playwright-core";
import type { Test } from "tap";
import { clipFile } from "./visit.js";

/** @param context is signed in. @param url of the console */
export async function filesOnTheirWay(
	t: Test,
	context: BrowserContext,
	url: string,
): Promise<void> {
	const page = await context.newPage();
	await page.goto(`${url}#/files`);
	await page.getByRole("button", { name: "Add files" }).waitFor();
	await withoutConnection(t, page);
	await failedLongAgo(t, page);
	await page.route(/\/v1\/asrfile\/upload$/, () => {}); // on its way as long as the page is there
	const isLeftToBrowser = await page.evaluate(`{
		const dataTransfer = new DataTransfer();
		dataTransfer.items.add(new File(["x"], "a.wav"));
		["dragover", "drop"].map((type) =>
			document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer })));
	}`);
	t.same(
		isLeftToBrowser,
		[false, false],
		"a file dropped beside the field does not take the place of the page",
	);
	await page.getByRole("heading", { level: 1 }).click(); // browsers ask only whoever has done something in a page
	await page.locator("input[type=file]").setInputFiles(clipFile);
	const cancel = page.getByRole("button", { name: "Cancel: clip.wav" });
	await cancel.waitFor();
	const asked = page.waitForEvent("dialog");
	await page.close({ runBeforeUnload: true });
	const question = await asked;
	t.equal(question.type(), "beforeunload", "the browser asks");
	await question.dismiss();
	await cancel.click();
	await cancel.waitFor({ state: "detached" });
	const closed = page.waitForEvent("close");
	await page.close({ runBeforeUnload: true });
	await closed;
	t.pass("and does not where nothing is on its way");
}

async function withoutConnection(t: Test, page: Page): Promise<void> {
	let isThere = false;
	await page.route(/\/v1\/asrfile\/upload$/, (route) =>
		isThere
			? route.fulfill({
					json: { status: "000000", message: "success", data: {} },
				})
			: route.abort(),
	);
	await page.route(/\/v1\/console\/session$/, (route) =>
		isThere ? route.continue() : route.abort(),
	);
	const names = ["שיחה 12.wav", "second.wav", "third.wav"];
	await page
		.locator("input[type=file]")
		.setInputFiles(names.map((name) => ({ ...clipFile, name })));
	const [first, second, third] = names.map((name) =>
		page.getByRole("listitem").filter({ hasText: name }),
	);
	if (!first || !second || !third) throw new Error("three rows");
	await first.getByRole("alert").waitFor();
	for (const row of [second, third])
		t.match(await row.textContent(), /Waiting to be sent/);
	t.equal(
		await page.evaluate(
			"getComputedStyle(document.querySelector('li bdi')).direction",
		),
		"rtl",
		"a name is laid out as its language is",
	);
	isThere = true;
	await second.waitFor({ state: "detached" });
	await third.waitFor({ state: "detached" });
	t.equal(
		await first.count(),
		1,
		"what waited was sent, what failed is asked for",
	);
	await first.getByRole("button", { name: "Try again" }).click();
	await first.waitFor({ state: "detached" });
	await page.unrouteAll();
}

async function failedLongAgo(t: Test, page: Page): Promise<void> {
	const old = {
		task_id: "0".repeat(32),
		desc: "Failed",
		file_name: "old.wav",
		insert_time: "",
		process_time: "",
		finish_time: "",
		progress: 0,
	};
	const newer = { ...old, task_id: "1".repeat(32), file_name: "newer.wav" };
	let desc = "Transcribing";
	await page.route(/\/v1\/asrfile\/tasks\?/, (route) => {
		const data = [{ ...newer, desc }, old];
		return route.fulfill({
			json: { status: "000000", message: "success", data },
		});
	});
	await page.route(/\/v1\/asrfile\/result/, (route) =>
		route.fulfill({
			json: { status: "220500", message: "it has no sound", data: old },
		}),
	);
	await page.reload();
	const rowOf = (name: string) =>
		page.getByRole("listitem").filter({ hasText: name });
	await rowOf("old.wav").getByText("it has no sound").waitFor();
	await rowOf("newer.wav").waitFor();
	t.equal(await page.getByRole("alert").count(), 0, "it is not told as new");
	desc = "Failed";
	await rowOf("newer.wav").getByRole("alert").waitFor();
	t.equal(await page.getByRole("alert").count(), 1);
	await page.unrouteAll();
}
