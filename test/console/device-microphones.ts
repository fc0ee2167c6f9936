/** Device, on a device with a microphone and with an executable of its own: what it shows of them, and muting. Both are told to the page in the device's place. */
import type { BrowserContext, Page } from "playwright-core";
import type { Test } from "tap";
import { eventually } from "../fixtures/eventually.js";

const microphone = {
	id: "desk",
	room: "Reading room",
	phase: "listening",
	trouble: "",
	trouble_code: "",
	muted: false,
	levels_dbfs: [-50],
	warning_codes: [],
};

const answer = (data: unknown) => ({
	json: { status: "000000", message: "success", data },
});

/** @param context is signed in. @param url of the console */
export async function equippedDevice(
	t: Test,
	context: BrowserContext,
	url: string,
): Promise<void> {
	const page = await context.newPage();
	const done: unknown[] = [];
	await page.route(/\/v1\/status\/events$/, async (route) => {
		const now = await context.request.get(
			route.request().url().replace("/events", ""),
		);
		const { data } = (await now.json()) as { data: { update: object } };
		const isMuted = done.length > 0;
		const status = {
			...data,
			microphones: [
				{
					...microphone,
					muted: isMuted,
					phase: isMuted ? "muted" : "listening",
				},
				{
					...microphone,
					id: "door",
					room: "Door",
					phase: "no-device",
					trouble: "No such device",
					trouble_code: "ENODEV",
				},
			],
			update: { ...data.update, is_executable: true },
		};
		const levels = [{ id: "desk", levels_dbfs: [-6, -12] }];
		// it ends, and the browser asks again at once
		return route.fulfill({
			contentType: "text/event-stream",
			body: `retry: 50\ndata: ${JSON.stringify(status)}\n\nevent: levels\ndata: ${JSON.stringify(levels)}\n\n`,
		});
	});
	await page.route(/\/v1\/microphones\/desk$/, (route) => {
		done.push(route.request().postDataJSON());
		return route.fulfill(answer({ ...microphone, muted: true }));
	});
	await page.route(/\/v1\/update\/check$/, (route) =>
		route.fulfill(
			answer({
				is: "newer",
				version: "9.9.0",
				bytes: 180_000_000,
				reason: "",
				notes: "Partials are steadier.\nJapanese numbers.",
			}),
		),
	);
	await page.goto(`${url}#/device`);
	const card = page.getByRole("region", { name: "Microphones" });
	await card
		.getByRole("meter", { name: "Channel 2" })
		.and(page.locator('[aria-valuenow="-12"]'))
		.waitFor();
	await card.getByRole("button", { name: "Mute: Reading room" }).click();
	await card.getByRole("button", { name: "Unmute: Reading room" }).waitFor();
	await card.getByText("muted", { exact: true }).waitFor();
	t.same(done, [{ muted: true }]);
	await card
		.getByText(/^The microphone is not connected.*\(No such device\)$/)
		.waitFor();
	const update = page.getByRole("region", { name: "Update" });
	await update.getByRole("button", { name: "Look for an update" }).click();
	await update.getByText("9.9.0 (180 MB) is offered.").waitFor();
	t.match(
		await update.locator(".release-notes").textContent(),
		"Partials are steadier.\nJapanese numbers.",
	);
	await heldToTalk(t, page, url);
	await page.close();
}

async function heldToTalk(t: Test, page: Page, url: string): Promise<void> {
	const shown = { ...microphone, push_to_talk: true, phase: "muted" };
	const done: unknown[] = [];
	await page.route(/\/v1\/microphones$/, (route) =>
		route.fulfill(answer([shown])),
	);
	await page.route(/\/v1\/microphones\/desk$/, (route) => {
		done.push(route.request().postDataJSON());
		return route.fulfill(answer(shown));
	});
	await page.routeWebSocket(/\/v1\/microphones\/desk\/ws$/, () => {});
	await page.goto(`${url}#/live`);
	await page.getByRole("tab", { name: "The device's microphones" }).click();
	const button = page.getByRole("button", { name: "Hold to talk" });
	const elsewhere = page.getByRole("heading", { level: 1 });
	await button.hover();
	await elsewhere.hover();
	await button.hover();
	await page.mouse.down();
	await elsewhere.hover();
	await eventually("the end of the talk", () => done.length >= 2);
	await page.mouse.up();
	t.same(done, [{ talking: true }, { talking: false }]);
	for (const leave of [
		() => page.keyboard.press("Shift+Tab"),
		() => page.goto(`${url}#/files`),
	]) {
		done.length = 0;
		await button.focus();
		await page.keyboard.down(" ");
		await leave();
		await eventually("the end of the talk", () => done.length >= 2);
		await page.keyboard.up(" ");
		t.same(done, [{ talking: true }, { talking: false }]);
	}
}
