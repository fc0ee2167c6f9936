/** How one comes in, and out. */
import type { Test } from "tap";
import { watched } from "./chromium.js";
import type { Visit } from "./visit.js";

export async function signingIn(
	t: Test,
	{ earshot, browser, code, signedIn }: Visit,
): Promise<void> {
	await t.test("a wrong code is said beside its field", async (t) => {
		const { context, page } = await watched(browser, { locale: "en-US" });
		await page.goto(`${earshot.url}/console/`);
		await page.getByRole("textbox").waitFor();
		// a link that is opened in this tab changes no more than the fragment
		await page.goto(`${earshot.url}/console/#pair=AAAA-AAAA`);
		const alert = page.getByRole("alert");
		await alert.waitFor();
		t.match(await alert.textContent(), /code is not valid/);
		await context.close();
	});

	await t.test(
		"a QR code's link signs in and leaves no code behind",
		async (t) => {
			const { context, page, elsewhere } = await watched(browser, {
				locale: "ja-JP",
			});
			const typed = (await code("--scope", "files")).replace("-", "");
			const fingerprint = "AB".repeat(32);
			await page.goto(
				`${earshot.url}/console/#pair=${typed}&sha256=${fingerprint}`,
			);
			await page.getByRole("navigation").waitFor();
			t.notMatch(page.url(), /pair|sha256/);
			t.equal(await page.locator("html").getAttribute("lang"), "ja");
			await page.getByRole("heading", { name: "ライブ認識" }).waitFor();
			t.match(
				await page.getByRole("alert").textContent(),
				/asr/,
				"what it lacks is said before anybody speaks",
			);
			// who is in already, and opens the link again, is where it leads
			await page.goto(`${earshot.url}/console/#pair=${typed}`);
			await page.waitForURL((url) => url.hash === "");
			await page.getByRole("heading", { name: "ライブ認識" }).waitFor();
			t.same(elsewhere, []);
			await context.close();
		},
	);

	await t.test("another site can't show it in a frame", async (t) => {
		const { context, page } = await watched(browser);
		await page.setContent(`<iframe src="${earshot.url}/console/"></iframe>`);
		const frame = page.frames()[1];
		await frame?.waitForLoadState().catch(() => {});
		t.notOk(
			await frame
				?.locator("#app")
				.count()
				.catch(() => 0),
		);
		await context.close();
	});

	await t.test("a session that has ended is said to have", async (t) => {
		const other = await signedIn();
		await other.context.clearCookies();
		// by the address: a request of the page may have shown the end already, and its links with it
		await other.page.evaluate('location.hash = "#/files"');
		const note = other.page.getByText("Your session has ended");
		await note.waitFor();
		t.equal(await other.page.title(), "Sign in to this device · earshot");
		await other.page.getByRole("textbox").fill(earshot.token);
		await other.page.keyboard.press("Enter");
		await other.page.getByRole("button", { name: "Settings" }).click();
		await other.page.getByRole("button", { name: "Sign out" }).click();
		await other.page
			.getByRole("heading", { name: "Sign in to this device" })
			.waitFor();
		t.equal(await note.count(), 0, "and one that was ended here is not");
		await other.context.close();
	});

	await t.test("whoever signs out is out", async (t) => {
		const other = await signedIn();
		await other.page.getByRole("button", { name: "Settings" }).click();
		await other.page.getByRole("button", { name: "Sign out" }).click();
		await other.page
			.getByRole("heading", { name: "Sign in to this device" })
			.waitFor();
		t.same(await other.context.cookies(), []);
		await other.context.close();
	});
}
