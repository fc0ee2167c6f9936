/** Files: sent, heard, corrected, played. */
import { readFileSync } from "node:fs";
import type { Test } from "tap";
import { clip, clipWords, type Visit } from "./visit.js";

/** @returns a task with a transcript. */
export async function filesPage(
	t: Test,
	{ earshot, main: { page } }: Visit,
): Promise<string> {
	let task = "";
	await t.test("files are sent, heard, corrected, and played", async (t) => {
		await page.getByRole("link", { name: "Files" }).click();
		await page.getByRole("heading", { level: 1, name: "Files" }).waitFor();
		await page.locator("input[type=file]").setInputFiles([
			{
				name: "<img src=x onerror=alert(1)>.wav",
				mimeType: "audio/wav",
				buffer: clip,
			},
			{
				name: "letter.wav",
				mimeType: "audio/wav",
				buffer: Buffer.from("Dear Sir"),
			},
		]);
		const refused = page.locator("li", { hasText: "letter.wav" });
		await refused.getByRole("alert").waitFor();
		await page.locator("li a", { hasText: "<img src=x" }).click();
		const segment = page.locator(".segment").first();
		await segment.locator("p", { hasText: clipWords }).waitFor();
		await segment.getByRole("button", { name: "Correct this text" }).click();
		const original = await segment.getByRole("textbox").inputValue();
		const corrected = original.replace(
			"Dashwood",
			"<b onclick=alert(2)>Ashwood</b>",
		);
		t.not(corrected, original);
		await segment.getByRole("textbox").fill(corrected);
		const [download] = await Promise.all([
			page.waitForEvent("download"),
			page.getByRole("link", { name: "txt", exact: true }).click(),
		]);
		const written = readFileSync(await download.path(), "utf8");
		t.match(written, "Ashwood</b>", "with what was not sent yet");
		await page.getByText("Saved", { exact: true }).waitFor();
		await segment.getByRole("textbox").press("Escape");
		task = new URL(page.url()).hash.split("/").at(-1) ?? "";
		const asText = async () => {
			const url = `${earshot.url}/v1/asrfile/result?task_id=${task}&format=txt`;
			return (await fetch(url)).text();
		};
		t.match(await asText(), "<b onclick=alert(2)>Ashwood</b>");
		await segment.getByText("Corrected").waitFor();
		await segment.getByRole("button", { name: "Add to words" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByRole("button", { name: "A new list" }).first().click();
		await dialog.getByText("too long: 30 characters are the most").waitFor();
		await dialog.getByLabel("What is right").fill("<b>Ashwood</b>");
		await dialog.getByRole("button", { name: "A new list" }).first().click();
		await dialog.getByText("Added").waitFor();
		await dialog.getByRole("button", { name: "Close" }).click();
		await segment.getByRole("button", { name: "As it was heard" }).click();
		await segment.getByText("Corrected").waitFor({ state: "detached" });
		await page.getByText("Saved", { exact: true }).waitFor();
		t.equal((await asText()).trim(), original);
		await page.getByRole("button", { name: "Undo" }).click();
		await segment.locator("p[lang]", { hasText: "alert(2)" }).waitFor();
		await page.getByRole("button", { name: "Play", exact: true }).click();
		await segment.locator(".word.is-current").first().waitFor();
		t.equal(await page.locator("canvas").count(), 1);
	});

	await t.test(
		"a row that was searched for stays while it is corrected",
		async (t) => {
			const search = page.getByRole("searchbox", {
				name: "Search in the text",
			});
			await search.fill("ashwood");
			const segment = page.locator(".segment");
			await segment.getByRole("button", { name: "Correct this text" }).click();
			await segment.locator("textarea:focus").waitFor();
			const field = segment.getByRole("textbox");
			const before = await field.inputValue();
			const inside = before.indexOf("wood") + 2;
			await field.evaluate((it, at) => {
				(
					it as unknown as { setSelectionRange(from: number, to: number): void }
				).setSelectionRange(at, at);
			}, inside);
			await page.keyboard.press("Backspace");
			await page.getByText("Saved", { exact: true }).waitFor();
			t.equal(await field.inputValue(), before.replace("wood", "wod"));
			t.equal(await page.locator("textarea:focus").count(), 1);
			await field.fill(before);
			await page.getByText("Saved", { exact: true }).waitFor();
			// it takes back what an input method has not written yet
			const composing = { key: "Escape", isComposing: true };
			await field.dispatchEvent("keydown", composing);
			t.equal(await page.locator("textarea:focus").count(), 1);
			await page.keyboard.press("Escape");
			await page.locator("textarea").waitFor({ state: "detached" });
			await search.fill("");
		},
	);
	return task;
}
