/** Every page, when all that the device says is markup: nothing of it may run. */
import type { Page } from "playwright-core";
import type { Test } from "tap";
import { harm, hostile, poisoned } from "./hostile.js";

const pages = ["files", "words", "device", "access", "live", "api"];

/** What the device of these tests lacks. */
const equipped = {
	microphones: [
		{
			id: "desk",
			room: "hall",
			phase: "listening",
			trouble: "broken",
			trouble_code: "EIO",
			muted: false,
			levels_dbfs: [-30],
		},
	],
	update: {
		is_executable: true,
		has_previous: true,
		trial: { from: "1", to: "2" },
		refused: { version: "3", why: "it died", at: 1 },
	},
};

const newerVersion = {
	version: hostile[1],
	bytes: 9,
	notes: hostile.join("\n"),
	reason: hostile[2],
};

/** @param page is signed in; what it is told by the device is changed from now on. @param task has a transcript. */
export async function hostilePages(
	t: Test,
	page: Page,
	task: string,
	clip: Buffer,
): Promise<void> {
	const [sign = ""] = hostile;
	await page.route("**/v1/**", async (route) => {
		const url = route.request().url();
		if (/console\/session|\/audio$|\/peaks/.test(url)) return route.continue();
		if (/status\/events/.test(url)) {
			const now = await page.context().request.get(url.replace("/events", ""));
			const { data } = (await now.json()) as { data: object };
			return route.fulfill({
				contentType: "text/event-stream",
				body: `data: ${JSON.stringify(poisoned({ ...data, ...equipped }))}\n\n`,
			});
		}
		if (/update\/check/.test(url))
			return route.fulfill({
				json: {
					status: "000000",
					message: "success",
					data: { ...newerVersion, is: "newer" },
				},
			});
		if (/hotwords\/any/.test(url))
			return route.fulfill({
				json: {
					status: "000000",
					message: "success",
					data: { name: sign, lang_type: "en-US", words: hostile },
				},
			});
		const answer = await route.fetch();
		const told = (await answer.json().catch(() => undefined)) as unknown;
		if (!told) return route.fulfill({ response: answer });
		return route.fulfill({ response: answer, json: poisoned(told) });
	});
	// a page that stays empty would prove nothing
	const check = async (name: string) => {
		await page
			.getByText(sign)
			.or(page.locator(`[value*="window.ran"]`))
			.first()
			.waitFor({ state: "attached" });
		t.same(await page.evaluate(harm), [], name);
	};
	await liveTexts(page, check);
	for (const name of [...pages, `files/${task}`, "words/hotwords/any"]) {
		const url = new URL(page.url());
		url.hash = `#/${name}`;
		await page.goto(url.href);
		await page.getByRole("heading", { level: 1 }).waitFor();
		if (name === "live") {
			await page.getByRole("tab", { name: "An audio file" }).click();
			await page.locator("input[type=file]").setInputFiles({
				name: `${sign}.wav`,
				mimeType: "audio/wav",
				buffer: clip,
			});
		}
		await check(name);
		if (name === "device") {
			await page.getByRole("button", { name: "Look for an update" }).click();
			await page.locator(".release-notes").waitFor();
			await check("what an update changes");
		}
	}
	await page.unrouteAll({ behavior: "ignoreErrors" });
}

/** Texts that grow and settle, as the WebSocket brings them: each payload once as a partial result, then as a sentence. */
async function liveTexts(
	page: Page,
	check: (name: string) => Promise<void>,
): Promise<void> {
	const word = { start_time: 0, end_time: 10, type: "normal", confidence: 0.1 };
	await page.routeWebSocket(/\/v1\/asr\/ws/, (socket) => {
		const send = (name: string, payload: object = {}) =>
			socket.send(JSON.stringify({ header: { name, task_id: "t" }, payload }));
		socket.onMessage((message) => {
			if (!/"StartTranscription"/.test(String(message))) return;
			send("TranscriptionStarted");
			for (const [index, result] of hostile.entries()) {
				const text = { index, result, words: [{ ...word, word: result }] };
				send("TranscriptionResultChanged", text);
				send("SentenceEnd", { ...text, confidence: 0.5 });
			}
			send("TranscriptionResultChanged", {
				index: hostile.length,
				result: hostile.join(" "),
				words: [],
			});
		});
	});
	const url = new URL(page.url());
	url.hash = "#/live";
	await page.goto(url.href);
	await page.reload(); // sockets that are opened from now on are those of the test
	await page.getByRole("button", { name: "Speak" }).click();
	await page.getByText(hostile.join(" ")).first().waitFor();
	await check("live, while one speaks");
	await page.reload(); // while the microphone is on, no file is heard
}
