/** Words: a list is made, complained about, and tried. */
import type { Test } from "tap";
import { clip, clipFile, type Visit, wavOf } from "./visit.js";

export async function wordsPage(
	t: Test,
	{ main: { page } }: Visit,
): Promise<void> {
	await t.test("a list is made, and tried on a clip", async (t) => {
		await page.getByRole("link", { name: "Words" }).click();
		await page.getByRole("button", { name: "New list" }).click();
		await page
			.getByRole("dialog")
			.getByLabel("Name")
			.fill("<script>alert(3)</script>");
		await page.getByRole("button", { name: "Create" }).click();
		await page
			.getByText("Nothing on this device uses this list now.")
			.waitFor();
		await page.getByRole("button", { name: "Paste entries" }).click();
		await page
			.getByRole("dialog")
			.getByRole("textbox")
			.fill("Norland\nDashwood\n!!!");
		await page
			.getByRole("dialog")
			.getByRole("button", { name: "Add them" })
			.click();
		await page.getByRole("button", { name: "Save" }).click();
		const complaint = page.getByRole("alert");
		await complaint.waitFor();
		t.equal(
			await complaint.textContent(),
			"The device left 1 entry out: only punctuation (1)",
		);
		const refused = page.locator("[aria-invalid=true]");
		t.equal(await refused.inputValue(), "!!!");
		t.equal(
			await page.locator("small.complaint").textContent(),
			"only punctuation",
			"beside the entry",
		);
		await page.getByRole("button", { name: "Remove !!!" }).click();
		const filter = page.getByRole("searchbox", { name: "Filter" });
		await filter.fill("norland");
		const entry = page.getByRole("textbox", { name: /^Entry \d+$/ });
		await entry.press("End");
		await page.keyboard.press("Backspace");
		t.equal(await entry.inputValue(), "Norlan", "it stays while one types");
		await page.keyboard.type("d");
		t.equal(await entry.inputValue(), "Norland");
		await page.getByRole("button", { name: "Add an entry" }).click();
		t.equal(await entry.count(), 2, "a new one is there under any filter");
		await entry.first().fill("Barton");
		await filter.fill("");
		await page.getByRole("link", { name: "All lists" }).click();
		await page.getByText("Not saved yet").waitFor();
		await page.getByRole("link", { name: "<script>" }).click();
		await page.getByText("Not saved yet").waitFor();
		t.equal(await entry.first().inputValue(), "Barton", "it was kept");
		await page
			.getByLabel("Try it")
			.locator("input[type=file]")
			.setInputFiles(clipFile);
		const outcome = page.locator(".clip-result");
		await outcome.waitFor();
		t.match(
			await outcome.textContent(),
			/Without the list.*Dashwood.*With the list.*Dashwood/,
		);
		// one that comes while this process waits for a processor is seen as well
		const next = page.locator(".clip-result:not([data-before])");
		const again = async (hear: () => Promise<void>) => {
			await outcome.evaluate((it) => {
				const { dataset } = it as unknown as { dataset: { before?: string } };
				dataset.before = "";
			});
			await hear();
			await next.waitFor();
			return next.textContent();
		};
		const minute = Buffer.alloc(60 * 32_000);
		const long = Buffer.concat([clip.subarray(44), minute]);
		const hearLong = () =>
			page
				.getByLabel("Try it")
				.locator("input[type=file]")
				.setInputFiles({ ...clipFile, buffer: wavOf(long) });
		t.match(await again(hearLong), /Dashwood/, "longer than a minute");
		await page.getByRole("button", { name: "Record a clip" }).click();
		await page.locator('[role="meter"]:not([aria-valuenow="-60"])').waitFor(); // its frames have come
		const stop = page.getByRole("button", { name: "Stop, and hear it" });
		t.match(await again(() => stop.click()), /Without the list.*With the list/);
		await page
			.getByLabel("Or a file of this device")
			.selectOption({ index: 1 });
		const tryPart = page.getByRole("button", { name: "Hear it twice" });
		const hearPart = () => tryPart.click();
		t.match(await again(hearPart), /Dashwood.*With the list.*Dashwood/);
		await page.getByLabel("To", { exact: true }).fill("9");
		await page.getByLabel("From", { exact: true }).fill("9:75");
		await page.getByText("Write a time as 1:05 or 1:02:30.").waitFor();
		t.ok(await tryPart.isDisabled());
		await page.getByLabel("From", { exact: true }).fill("0:00.5");
		await page.getByLabel("To", { exact: true }).fill("1");
		t.notMatch(
			await again(hearPart),
			/Dashwood/,
			"half a second of it, before the name is said",
		);
	});
}
