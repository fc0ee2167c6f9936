/** On a new device: its name, languages, and hearing oneself. */
import type { Test } from "tap";
import { clipWords, type Visit } from "./visit.js";

const name = "<img src=x onerror=alert(4)> 会议室";

export async function firstSteps(t: Test, { signedIn }: Visit): Promise<void> {
	await t.test("a new device is named, and hears", async (t) => {
		const { context, page, errors } = await signedIn();
		await page.getByRole("link", { name: "Set up the device" }).click();
		const field = page.getByLabel("Name of the device");
		t.not(await field.inputValue(), "", "its host name");
		await field.fill(name);
		await page.getByLabel("Language that you speak").selectOption("en-US");
		await page.getByRole("button", { name: "Speak" }).click();
		await page.locator("[aria-live] p", { hasText: clipWords }).waitFor();
		await page.getByRole("button", { name: "Stop" }).click();
		await page.getByRole("button", { name: "Speak" }).waitFor();
		await page.getByRole("button", { name: "Done" }).click();
		await page.getByRole("heading", { name: "Live" }).waitFor();
		t.equal(await page.locator(".bar .brand-device").textContent(), name);
		const offer = page.getByRole("link", { name: "Set up the device" });
		t.equal(await offer.count(), 0, "nothing is left to do");
		await page.reload();
		await page.getByRole("heading", { name: "Live" }).waitFor();
		t.equal(await page.locator(".bar .brand-device").textContent(), name);
		t.equal(await offer.count(), 0);
		t.same(errors, []);
		await context.close();
	});
}
