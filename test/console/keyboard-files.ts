/** A file is sent and its transcript corrected without a mouse. Only the system's own dialog, in which the file is chosen, is not in the page. */
import type { Page } from "playwright-core";
import type { Test } from "tap";
import { tabTo } from "./keyboard.js";
import { clipFile, clipWords } from "./visit.js";

const name = "by-keyboard.wav";

export async function keyboardFiles(t: Test, page: Page): Promise<void> {
	// well before it is asked for: the browser takes a moment to hand its dialogs on
	const chooser = page.waitForEvent("filechooser");
	await tabTo(page, t, /^Files$/);
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { level: 1, name: "Files" }).waitFor();
	await tabTo(page, t, /^Add files$/);
	await page.keyboard.press("Enter");
	await (await chooser).setFiles([{ ...clipFile, name }]);
	await page.getByRole("link", { name }).waitFor();
	await tabTo(page, t, /^by-keyboard\.wav$/);
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { level: 1, name }).waitFor();

	const segment = page.locator(".segment").first();
	await segment.locator("p", { hasText: clipWords }).waitFor();
	await tabTo(page, t, /^Correct this text/);
	await page.keyboard.press("Enter");
	await segment.locator("textarea:focus").waitFor();
	await page.keyboard.press("ControlOrMeta+End");
	await page.keyboard.type(" Typed.");
	await page.getByText("Saved", { exact: true }).waitFor();
	await page.keyboard.press("Escape");
	await segment.locator("p[lang]", { hasText: "Typed." }).waitFor();
	// the field is gone, and whoever corrects stays at the segment
	await segment.locator("button:focus").waitFor();
	await tabTo(page, t, /^Play 0/);
	await page.keyboard.press("Enter");
	await segment.locator(".word.is-current").first().waitFor();
	await page.keyboard.press("ControlOrMeta+z");
	await segment.getByText("Typed.").waitFor({ state: "detached" });
	await page.getByText("Saved", { exact: true }).waitFor();
	await tabTo(page, t, /^All files$/);
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { level: 1, name: "Files" }).waitFor();
	await tabTo(page, t, /^Remove: by-keyboard\.wav$/);
	await page.keyboard.press("Enter");
	await tabTo(page, t, /^Remove$/);
	await page.keyboard.press("Enter");
	await page.getByRole("link", { name }).waitFor({ state: "detached" });
	// what was pressed is gone, and the keys stay in the page
	await page.locator("main:focus").waitFor();
}
