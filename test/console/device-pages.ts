/** What concerns the device and its API: Access, Device, API. */
import type { Test } from "tap";
import type { Visit } from "./visit.js";

export async function devicePages(
	t: Test,
	{ earshot, main: { page } }: Visit,
): Promise<void> {
	await t.test("a token is made and revoked", async (t) => {
		await page.getByRole("link", { name: "Access" }).click();
		await page.getByRole("button", { name: "New token" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Name").fill("kiosk");
		const days = dialog.getByRole("spinbutton");
		await days.press("Control+a");
		await days.press("Backspace");
		t.equal(await days.inputValue(), "", "so that another can be typed");
		await days.press("7");
		const [made] = await Promise.all([
			page.waitForRequest(/\/v1\/tokens$/),
			dialog.getByRole("button", { name: "Create" }).click(),
		]);
		t.match(made.postDataJSON(), { name: "kiosk", days: 7 });
		const token = (await dialog.locator(".secret").textContent()) ?? "";
		// as over plain HTTP from another machine
		await page.evaluate(`{
			Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
			document.addEventListener("copy", ({ target }) => { window.copied = target.value }, { once: true });
		}`);
		await dialog.getByRole("button", { name: "Copy" }).first().click();
		await dialog.getByText("Copied").waitFor();
		t.equal(await page.evaluate("window.copied"), token);
		await page.evaluate("delete navigator.clipboard");
		t.equal(await dialog.getByRole("img").count(), 2, "it, and the address");
		const ask = () =>
			fetch(`${earshot.url}/v1/models`, {
				headers: { authorization: `Bearer ${token}` },
			});
		t.equal((await ask()).status, 200);
		await dialog.getByRole("button", { name: "Close" }).click();
		await page.getByRole("button", { name: /Revoke: kiosk/ }).click();
		await page
			.getByRole("dialog")
			.getByRole("button", { name: "Revoke" })
			.click();
		await page
			.getByText("kiosk", { exact: true })
			.waitFor({ state: "detached" });
		t.equal((await ask()).status, 401);
		t.notMatch(earshot.log.join("\n"), token);
	});

	await t.test("the device says how it is, and its log", async (t) => {
		await page.getByRole("link", { name: "Device" }).click();
		await page
			.getByRole("region", { name: "Health" })
			.getByText("recognized its probe clip correctly")
			.first()
			.waitFor();
		await page
			.getByRole("region", { name: "Update" })
			.getByText("git or npm updates it")
			.waitFor();
		await page
			.getByRole("region", { name: "Engines" })
			.getByText(/ · cpu · .* times as fast as speech/)
			.first()
			.waitFor();
		await page
			.getByRole("region", { name: "Microphones" })
			.getByText("no microphone configured")
			.waitFor();
		const logged = page.getByRole("log").getByText("token revoked").first();
		t.match(await logged.textContent(), /^\d\d:\d\d:\d\dZ info/);
		await page.locator(".chart canvas").nth(2).waitFor();
		await page
			.getByRole("region", { name: "Interfaces" })
			.getByText(/Last used .* by .*127\.0\.0\.1/)
			.first()
			.waitFor();
	});

	await t.test("an operation of the API is tried", async (t) => {
		await page.getByRole("link", { name: "API" }).click();
		await page.getByLabel("Filter").fill("/healthz");
		await page.locator("summary", { hasText: "/healthz" }).click();
		await page.getByRole("button", { name: "Try" }).click();
		await page.getByRole("heading", { name: "Answer 200" }).waitFor();
		await page.getByRole("tab", { name: "WebSocket and MQTT" }).click();
		await page.getByLabel("Filter").fill("asr-ws");
		await page.locator("summary", { hasText: "/v1/asr/ws" }).click();
		await page
			.getByRole("heading", { name: "StartTranscription: Payload" })
			.waitFor();
		t.pass("both documents are shown");
	});
}

/** Last: for a moment the device is busy with it. */
export async function restarts(
	t: Test,
	{ earshot, main: { page } }: Visit,
): Promise<void> {
	await t.test(
		"an engine is restarted, and the configuration read again",
		async (t) => {
			await page.getByRole("link", { name: "Device" }).click();
			const engines = page.getByRole("region", { name: "Engines" });
			await engines
				.getByRole("button", { name: "Restart: Live speech" })
				.click();
			const dialog = page.getByRole("dialog");
			await dialog.getByRole("button", { name: "Restart" }).click();
			await dialog.waitFor({ state: "detached" });
			await engines.getByRole("button", { name: "Reload" }).click();
			await dialog.getByRole("button", { name: "Reload" }).click();
			await engines.getByText("Nothing has changed").waitFor();
			t.match(earshot.log.join("\n"), /restarting engine on request/);
			t.match(earshot.log.join("\n"), /configuration reloaded/);
		},
	);
}
