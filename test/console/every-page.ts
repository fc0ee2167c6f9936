/** What holds for every page: three languages, both schemes, three widths, and any place under which a proxy offers it. */
import type { Test } from "tap";
import { accessible, readable } from "./accessible.js";
import { watched } from "./chromium.js";
import { ingressProxy, prefixProxy } from "./prefix-proxy.js";
import { pageNames, type Visit } from "./visit.js";

/** @param task has a transcript. */
export async function everyPage(
	t: Test,
	{ earshot, browser, signedIn, ingressPort }: Visit,
	task: string,
): Promise<void> {
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
		await other.page.locator('nav a[href$="files"]').click();
		await other.page.locator("input[type=file]").setInputFiles({
			name: "letter.wav",
			mimeType: "audio/wav",
			buffer: Buffer.from("Dear Sir"),
		});
		t.match(
			await other.page.getByRole("alert").textContent(),
			/^音频格式未知或无法解码（audio does not match/,
			"and why the device refused",
		);
		t.same(
			other.errors.filter((it) => !/status of 415/.test(it)),
			[],
		);
		await other.context.close();
	});

	await t.test(
		"every page is accessible, in both schemes and three widths",
		async (t) => {
			const inside = await signedIn();
			const name = "W".repeat(200);
			const list = { name, lang_type: "en-US", words: ["Norland"] };
			const made = await fetch(`${earshot.url}/v1/hotwords`, {
				method: "POST",
				headers: {
					authorization: `Bearer ${earshot.token}`,
					"content-type": "application/json",
				},
				body: JSON.stringify(list),
			});
			t.equal(made.status, 200);
			const out = await watched(browser, { locale: "en-US" });
			for (const [colorScheme, check] of [
				["light", accessible],
				["dark", readable],
			] as const) {
				await inside.page.emulateMedia({ colorScheme });
				await out.page.emulateMedia({ colorScheme });
				await out.page.goto(`${earshot.url}/console/`);
				await out.page.getByRole("textbox").waitFor();
				await check(t, out.page, `sign-in, ${colorScheme}`);
				for (const name of [...pageNames, "live/set-up", `files/${task}`]) {
					await inside.page.goto(`${earshot.url}/console/#/${name}`);
					await inside.page.getByRole("heading", { level: 1 }).waitFor();
					await inside.page.getByText("Loading").waitFor({ state: "detached" });
					await check(t, inside.page, `${name}, ${colorScheme}`);
				}
			}
			await inside.context.close();
			await out.context.close();
		},
	);

	await t.test("under a path of a proxy it works the same", async (t) => {
		const proxy = await prefixProxy(earshot.url, "/home/asr");
		t.teardown(() => proxy.close());
		const { context, page, errors } = await signedIn(proxy.url);
		const cookies = await context.cookies();
		t.match(cookies, [
			{
				name: /^earshot_session_http_\d+$/,
				httpOnly: true,
				sameSite: "Strict",
			},
		]);
		await page.getByRole("button", { name: "Speak" }).click();
		await page.getByRole("button", { name: "Stop" }).click();
		await page.getByRole("button", { name: "Speak" }).waitFor();
		t.same(errors, []);
		await context.close();
	});

	await t.test("in Home Assistant it works without a login", async (t) => {
		const proxy = await ingressProxy(ingressPort);
		t.teardown(() => proxy.close());
		const { context, page, errors, elsewhere } = await watched(browser, {
			locale: "en-US",
		});
		await page.goto(`${proxy.url}/console/#/device`);
		await page
			.getByRole("region", { name: "Health" })
			.getByText("works", { exact: true })
			.first()
			.waitFor();
		await page.getByRole("link", { name: "Live" }).click();
		await page.getByRole("button", { name: "Speak" }).click();
		await page.getByRole("button", { name: "Stop" }).click();
		await page.getByRole("button", { name: "Speak" }).waitFor();
		await page.goto(`${proxy.url}/console/#/files/${task}`);
		await page.getByRole("button", { name: "Play", exact: true }).click();
		await page.locator(".segment.is-current").first().waitFor();
		t.same(errors, []);
		t.same(elsewhere, []);
		await context.close();
	});
}
