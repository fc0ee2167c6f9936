/** The main path without a mouse: only keys are pressed, and what has the focus is always seen. */
import type { Page } from "playwright-core";
import type { Test } from "tap";
import { keyboardFiles } from "./keyboard-files.js";

const stopsMax = 60;

/** Presses Tab until the element with that name has the focus. */
export async function tabTo(page: Page, t: Test, name: RegExp): Promise<void> {
	const passed: string[] = [];
	for (let i = 0; i < stopsMax; i++) {
		await page.keyboard.press("Tab");
		const focused = (await page.evaluate(`(() => {
			const it = document.activeElement;
			if (!it || it === document.body) return undefined;
			const box = it.getBoundingClientRect();
			const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
			const label = it.labels?.[0]?.innerText ?? "";
			return { name: it.getAttribute("aria-label") || label || it.innerText || it.placeholder || it.tagName, isSeen: it.contains(seen) || seen?.contains(it) || box.width <= 1 };
		})()`)) as { name: string; isSeen: boolean } | undefined;
		if (!focused) continue;
		passed.push(focused.name);
		t.ok(focused.isSeen, `${focused.name} is not covered`);
		if (name.test(focused.name)) return;
	}
	t.fail(`no way to ${name} by Tab: ${passed.join(" > ")}`);
}

/** Once the dialog is closed, whichever of the two comes first. */
async function hasFocus(page: Page, name: string): Promise<void> {
	await page.getByRole("dialog").waitFor({ state: "detached" });
	await page.locator("button:focus", { hasText: name }).waitFor();
}

/** @param code a pairing code */
export async function keyboardPath(
	t: Test,
	page: Page,
	{ url, code }: { readonly url: string; readonly code: string },
): Promise<void> {
	await page.goto(`${url}/console/`);
	await page.getByRole("textbox").waitFor();
	await tabTo(page, t, /Pairing code/);
	await page.keyboard.type(code);
	await page.keyboard.press("Enter");
	await page.getByRole("navigation").waitFor();

	await page.getByRole("button", { name: "Speak" }).waitFor();
	await tabTo(page, t, /^Speak$/);
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Stop" }).waitFor();
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Speak" }).waitFor();
	await page.getByRole("tab", { name: "This microphone" }).focus();
	await page.keyboard.press("ArrowRight");
	await page
		.getByRole("tab", { name: "An audio file", selected: true })
		.waitFor();

	await tabTo(page, t, /^Words$/);
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "New list" }).waitFor();
	await page.getByRole("tab", { name: "Hotwords" }).focus();
	for (const name of ["Corrections", "Forbidden words", "Hotwords"]) {
		await page.keyboard.press("ArrowRight");
		await page.getByRole("tab", { name, selected: true }).waitFor();
		await hasFocus(page, name);
	}
	await page.getByRole("link", { name: "Words" }).focus();
	await tabTo(page, t, /^New list$/);
	await page.keyboard.press("Enter");
	await page.getByRole("dialog").waitFor();
	await page.keyboard.press("Escape");
	await hasFocus(page, "New list");
	await page.keyboard.press("Enter");
	await page.getByRole("dialog").waitFor();
	await tabTo(page, t, /^Cancel$/);
	await page.keyboard.press("Enter");
	await hasFocus(page, "New list");
	await page.keyboard.press("Enter");
	await page.getByRole("dialog").waitFor();
	await tabTo(page, t, /^Name$/);
	await page.keyboard.type("typed");
	await tabTo(page, t, /^Create$/);
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "typed" }).waitFor();

	await keyboardFiles(t, page);

	await tabTo(page, t, /^Access$/);
	await page.keyboard.press("Enter");
	await tabTo(page, t, /^New token$/);
	await page.keyboard.press("Enter");
	await tabTo(page, t, /^Name/);
	await page.keyboard.type("short-lived");
	await page.keyboard.press("Enter");
	await page.locator(".secret").waitFor();
	await page.keyboard.press("Escape");
	await hasFocus(page, "New token");
	await tabTo(page, t, /^Revoke: short-lived/);
	await page.keyboard.press("Enter");
	await tabTo(page, t, /^Revoke$/);
	await page.keyboard.press("Enter");
	await page.getByRole("dialog").waitFor({ state: "detached" });
	// its row is gone, and its button: the focus is on the page
	await page.locator("main:focus").waitFor({ state: "attached" });
	t.equal(await page.getByText("short-lived").count(), 0, "revoked");

	await tabTo(page, t, /^Settings$/);
	await page.keyboard.press("Enter");
	await tabTo(page, t, /^Language/);
	await page.keyboard.press("ArrowDown");
	await page.locator("html[lang=zh-Hans]").waitFor();
	await page.keyboard.press("Escape");
	await tabTo(page, t, /^文件$/);
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "文件" }).waitFor();
}
