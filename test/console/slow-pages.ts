/** The page that the address names is shown, in whatever order the parts of the console arrive, and after one that did not. */
import type { BrowserContext } from "playwright-core";
import type { Test } from "tap";

const partOf = (name: string) =>
	new RegExp(`/console/.*\\b${name}-[^/]*\\.js$`);

/** @param context is signed in. @param url of the console. */
export async function slowPages(
	t: Test,
	context: BrowserContext,
	url: string,
): Promise<void> {
	let release = () => {};
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	let isMissing = true;
	const page = await context.newPage();
	await page.route(partOf("live"), async (route) => {
		await released;
		await route.continue();
	});
	// e.g. the device was updated, and the parts have other names now
	await page.route(partOf("files"), (route) =>
		isMissing ? route.fulfill({ status: 404 }) : route.continue(),
	);
	await page.goto(url);
	const heading = (name: string) =>
		page.getByRole("heading", { level: 1, name });
	await page.getByRole("link", { name: "Words" }).click();
	await heading("Words").waitFor();
	const arrived = page.waitForResponse(partOf("live"));
	release();
	const late = JSON.stringify((await arrived).url());
	// it has run once another import of it is through
	await page.evaluate(
		`import(${late}).then(() => new Promise(requestAnimationFrame))`,
	);
	t.ok(
		await heading("Words").isVisible(),
		"what arrives late does not take the place of the page asked for",
	);

	await page.getByRole("link", { name: "Files" }).click();
	const alert = page.getByRole("alert");
	await alert.waitFor();
	t.match(await alert.textContent(), /could not be loaded/);
	isMissing = false;
	await alert.getByRole("button", { name: "Try again" }).click();
	await heading("Files").waitFor();
	await page.close();
	await besideSession(t, context, url);
}

/** The browser fetches the page's part while it waits to hear who is signed in. */
async function besideSession(
	t: Test,
	context: BrowserContext,
	url: string,
): Promise<void> {
	const page = await context.newPage();
	let answer = () => {};
	const held = new Promise<void>((resolve) => {
		answer = resolve;
	});
	await page.route("**/v1/console/session", async (route) => {
		await held;
		await route.continue();
	});
	const part = page.waitForResponse(partOf("words"));
	await page.goto(`${url}#/words`);
	t.ok((await part).ok(), "a page arrives before it is known who is signed in");
	t.equal(await page.getByRole("heading").count(), 0, "and is not shown yet");
	answer();
	await page.getByRole("heading", { level: 1, name: "Words" }).waitFor();
	await page.close();
}
