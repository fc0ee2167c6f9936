/** Live: what is spoken, and a file in its place. */
import type { Test } from "tap";
import { clipFile, heard, type Visit } from "./visit.js";

export async function livePage(
	t: Test,
	{ main: { page } }: Visit,
): Promise<void> {
	await t.test("what is said appears while it is said", async (t) => {
		await page.getByRole("button", { name: "Speak" }).click();
		// text that still grows may be there for a moment only: that it was is in the figures
		await page.locator("[aria-live] p", { hasText: heard }).waitFor();
		await page.getByRole("button", { name: "Stop" }).click();
		await page.getByRole("button", { name: "Speak" }).waitFor();
		const figures = await page.locator(".figures").textContent();
		t.match(figures, /First word after\s*[\d,]+ ms/);
		t.match(figures, /Final text after\s*[\d,]+ ms/);
		t.match(await page.locator(".live-text").textContent(), /% sure/);
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
		await page.getByRole("button", { name: "Clear" }).click();
		await page.getByRole("tab", { name: "An audio file" }).click();
		await page.locator("input[type=file]").setInputFiles(clipFile);
		await page.locator("[aria-live] p", { hasText: heard }).waitFor();
		t.pass("its text is there");
	});
}
