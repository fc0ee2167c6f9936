/** The console in a real browser, on a real appliance: what its visitor does on each page. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { wavBytes } from "../audio/wav-bytes.js";
import { RunningAppliance, repository } from "../e2e/running-appliance.js";
import { accessible, schemes } from "./accessible.js";
import { launch, noChromium, type Watched, watched } from "./chromium.js";
import { hostilePages } from "./hostile-pages.js";
import { keyboardPath } from "./keyboard.js";
import { lateAnswers } from "./late-answers.js";
import { prefixProxy } from "./prefix-proxy.js";
import { slowPages } from "./slow-pages.js";

if (noChromium) console.error(`skipped: ${noChromium}`);

const clip = readFileSync(join(repository, "test/clips/en-librivox-0870.wav"));
const heard = /dashwood|leisure|consider|prudently|power/i;

/** Speaks only after it has been asked for and the socket is open. */
function spokenLater(folder: string): string {
	const data = Buffer.concat([Buffer.alloc(2 * 32_000), clip.subarray(44)]);
	const about = { tag: 1, channels: 1, sampleRateHz: 16_000, bits: 16 };
	const file = join(folder, "spoken.wav");
	writeFileSync(file, wavBytes({ ...about, data }));
	return file;
}

const pageNames = ["live", "files", "words", "device", "access", "api"];

t.test("the console", { skip: noChromium, timeout: 600_000 }, async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "earshot-console-"));
	const earshot = await RunningAppliance.start();
	const browser = await launch({ spoken: spokenLater(folder) });
	t.teardown(async () => {
		await browser.close();
		await earshot.dispose();
		rmSync(folder, { recursive: true, force: true });
	});
	const codes = async (...scope: string[]) => {
		const { stdout } = await earshot.command("pair", ...scope);
		return /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(stdout)?.[0] ?? "";
	};
	const { stdout: admin } = await earshot.command(
		...["token", "create", "--name", "visitor", "--scope", "admin"],
	);
	/** With a token: few codes may be typed in a minute. */
	const signedIn = async (
		url = earshot.url,
		typed = admin.trim(),
	): Promise<Watched> => {
		const seen = await watched(browser, { locale: "en-US" });
		await seen.page.goto(`${url}/console/`);
		await seen.page.getByRole("textbox").fill(typed);
		await seen.page.getByRole("button", { name: "Sign in" }).click();
		await seen.page.getByRole("navigation").waitFor();
		return seen;
	};
	const main = await signedIn(earshot.url, await codes());
	const { page } = main;
	/** One with a transcript, once a file was sent. */
	let task = "";

	await t.test("a wrong code is said beside its field", async (t) => {
		const { context, page } = await watched(browser, { locale: "en-US" });
		await page.goto(`${earshot.url}/console/`);
		await page.getByRole("textbox").fill("AAAA-AAAA");
		await page.keyboard.press("Enter");
		const said = page.getByRole("alert");
		await said.waitFor();
		t.match(await said.textContent(), /code is not valid/);
		await context.close();
	});

	await t.test(
		"a QR code's link signs in and leaves no code behind",
		async (t) => {
			const { context, page, elsewhere } = await watched(browser, {
				locale: "ja-JP",
			});
			const code = (await codes("--scope", "asr")).replace("-", "");
			await page.goto(`${earshot.url}/console/#pair=${code}`);
			await page.getByRole("navigation").waitFor();
			t.notMatch(page.url(), code);
			t.equal(await page.locator("html").getAttribute("lang"), "ja");
			await page.getByRole("heading", { name: "ライブ認識" }).waitFor();
			t.same(elsewhere, []);
			await context.close();
		},
	);

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

	await t.test("a file is heard in place of a microphone", async (t) => {
		await page.getByRole("button", { name: "Clear" }).click();
		await page.getByRole("tab", { name: "An audio file" }).click();
		await page.locator("input[type=file]").setInputFiles({
			...{ name: "clip.wav", mimeType: "audio/wav", buffer: clip },
		});
		await page.locator("[aria-live] p", { hasText: heard }).waitFor();
		t.pass("its text is there");
	});

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
		await segment.locator("p", { hasText: heard }).waitFor();
		await segment.getByRole("button", { name: "Correct this text" }).click();
		const said = await segment.getByRole("textbox").inputValue();
		const corrected = said.replace(
			"Dashwood",
			"<b onclick=alert(2)>Ashwood</b>",
		);
		t.not(corrected, said);
		await segment.getByRole("textbox").fill(corrected);
		await page.getByText("Saved", { exact: true }).waitFor();
		await page.keyboard.press("Escape");
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
		await dialog.getByText("Added").waitFor();
		await dialog.getByRole("button", { name: "Close" }).click();
		await segment.getByRole("button", { name: "As it was heard" }).click();
		await segment.getByText("Corrected").waitFor({ state: "detached" });
		await page.getByText("Saved", { exact: true }).waitFor();
		t.equal((await asText()).trim(), said);
		await page.getByRole("button", { name: "Undo" }).click();
		await segment.locator("p[lang]", { hasText: "alert(2)" }).waitFor();
		await page.getByRole("button", { name: "Play", exact: true }).click();
		await segment.locator(".word.is-heard").first().waitFor();
		t.equal(await page.locator("canvas").count(), 1);
	});

	await t.test("a list is made, and tried on a clip", async (t) => {
		await page.getByRole("link", { name: "Words" }).click();
		await page.getByRole("button", { name: "New list" }).click();
		await page
			.getByRole("dialog")
			.getByLabel("Name")
			.fill("<script>alert(3)</script>");
		await page.getByRole("button", { name: "Create" }).click();
		await page.getByRole("button", { name: "Paste entries" }).click();
		await page
			.getByRole("dialog")
			.getByRole("textbox")
			.fill("Norland\nDashwood\n!!!");
		await page
			.getByRole("dialog")
			.getByRole("button", { name: "Add an entry" })
			.click();
		await page.getByRole("button", { name: "Save" }).click();
		const complaint = page.getByRole("alert");
		await complaint.waitFor();
		t.match(await complaint.textContent(), "1 of 3 entries dropped");
		const refused = page.locator("[aria-invalid=true]");
		t.equal(await refused.inputValue(), "!!!");
		await page.getByRole("button", { name: "Remove !!!" }).click();
		await page
			.getByLabel("Try it")
			.locator("input[type=file]")
			.setInputFiles({
				...{ name: "clip.wav", mimeType: "audio/wav", buffer: clip },
			});
		const outcome = page.locator(".clip-result");
		await outcome.waitFor();
		t.match(
			await outcome.textContent(),
			/Without the list.*Dashwood.*With the list.*Dashwood/,
		);
	});

	await t.test("a token is made and revoked", async (t) => {
		await page.getByRole("link", { name: "Access" }).click();
		await page.getByRole("button", { name: "New token" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Name").fill("kiosk");
		await dialog.getByRole("button", { name: "Create" }).click();
		const token = (await dialog.locator(".secret").textContent()) ?? "";
		const asked = () =>
			fetch(`${earshot.url}/v1/models`, {
				headers: { authorization: `Bearer ${token}` },
			});
		t.equal((await asked()).status, 200);
		await dialog.getByRole("button", { name: "Close" }).click();
		await page.getByRole("button", { name: /Revoke: kiosk/ }).click();
		await page
			.getByRole("dialog")
			.getByRole("button", { name: "Revoke" })
			.click();
		await page
			.getByText("kiosk", { exact: true })
			.waitFor({ state: "detached" });
		t.equal((await asked()).status, 401);
		t.notMatch(earshot.log.join("\n"), token);
	});

	await t.test("the device says how it is, and its log", async (t) => {
		await page.getByRole("link", { name: "Device" }).click();
		await page
			.getByRole("region", { name: "Health" })
			.getByText("recognized its probe clip correctly")
			.first()
			.waitFor();
		await page.getByRole("log").getByText("token revoked").first().waitFor();
		t.equal(await page.locator(".chart canvas").count(), 1);
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

	await t.test("the main path goes without a mouse", async (t) => {
		const { context, page, errors } = await watched(browser, {
			locale: "en-US",
		});
		await keyboardPath(t, page, { url: earshot.url, code: await codes() });
		t.same(errors, []);
		await context.close();
	});

	await t.test("it is Chinese or Japanese when one wants it so", async (t) => {
		const other = await signedIn();
		await other.page.getByRole("button", { name: "Settings" }).click();
		for (const [language = "", ...titles] of [
			["ja", "ライブ認識", "ファイル", "単語", "本体", "権限", "API"],
			["zh", "实时识别", "文件", "词表", "设备", "权限", "接口"],
		]) {
			await other.page.getByRole("combobox").first().selectOption(language);
			for (const [i, name] of pageNames.entries()) {
				await other.page.locator(`nav a[href$="${name}"]`).click();
				await other.page
					.getByRole("heading", {
						level: 1,
						name: titles[i] ?? "",
						exact: true,
					})
					.waitFor();
			}
			await other.page.locator("header .icon-button").first().click();
		}
		t.same(other.errors, []);
		await other.context.close();
	});

	await t.test(
		"every page is accessible, in both schemes and three widths",
		async (t) => {
			const looks = await signedIn();
			const out = await watched(browser, { locale: "en-US" });
			for (const colorScheme of schemes) {
				await looks.page.emulateMedia({ colorScheme });
				await out.page.emulateMedia({ colorScheme });
				await out.page.goto(`${earshot.url}/console/`);
				await out.page.getByRole("textbox").waitFor();
				await accessible(t, out.page, `sign-in, ${colorScheme}`);
				for (const name of [...pageNames, `files/${task}`]) {
					await looks.page.goto(`${earshot.url}/console/#/${name}`);
					await looks.page.getByRole("heading", { level: 1 }).waitFor();
					await looks.page.getByText("Loading").waitFor({ state: "detached" });
					await accessible(t, looks.page, `${name}, ${colorScheme}`);
				}
			}
			await looks.context.close();
			await out.context.close();
		},
	);

	await t.test("a part of it that is late, or never comes", (t) =>
		slowPages(t, main.context, `${earshot.url}/console/`),
	);

	await t.test("answers that are late, and a device that starts again", (t) =>
		lateAnswers(t, main.context, `${earshot.url}/console/`, task),
	);

	await t.test("nothing that the device says runs as a program", async (t) => {
		const other = await signedIn();
		await hostilePages(t, other.page, task, clip);
		await other.context.close();
	});

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

	await t.test("under a path of a proxy it works the same", async (t) => {
		const proxy = await prefixProxy(earshot.url, "/home/asr");
		t.teardown(() => proxy.close());
		const { context, page, errors } = await signedIn(proxy.url);
		const cookies = await context.cookies();
		t.match(cookies, [
			{ name: "earshot_session", httpOnly: true, sameSite: "Strict" },
		]);
		await page.getByRole("button", { name: "Speak" }).click();
		await page.getByRole("button", { name: "Stop" }).click();
		await page.getByRole("button", { name: "Speak" }).waitFor();
		t.same(errors, []);
		await context.close();
	});

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

	t.same(
		main.errors.filter((it) => !/status of 415/.test(it)),
		[],
		"nothing went wrong in the page",
	);
	t.same(main.elsewhere, [], "it asked no other host");
});
