/** Files that are being sent are not lost by a slip: neither by one that is dropped beside its place, nor by closing the page. */
import type { BrowserContext } from "playwright-core";
import type { Test } from "tap";
import { clipFile } from "./visit.js";

/** @param context is signed in. @param url of the console */
export async function filesOnTheirWay(
	t: Test,
	context: BrowserContext,
	url: string,
): Promise<void> {
	const page = await context.newPage();
	await page.route(/\/v1\/asrfile\/upload$/, () => {}); // on its way as long as the page is there
	await page.goto(`${url}#/files`);
	await page.getByRole("button", { name: "Add files" }).waitFor();
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
