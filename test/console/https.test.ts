/** The console where browsers decide what a page may: with the device's authority, without it, and over plain HTTP from another machine (docs/https.md). */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { RunningAppliance } from "../e2e/running-appliance.js";
import { tinyModel } from "../e2e/tiny-model.js";
import { noChromium } from "../fixtures/chromium-file.js";
import { claimedPort } from "../fixtures/claimed-port.js";
import { launch } from "./chromium.js";

const run = promisify(execFile);
/** A name that is no loopback address to the browser, and leads here. */
const elsewhere = "earshot.test";

const noCertutil = await run("certutil", ["--help"]).then(
	() => false,
	(error: { code?: unknown }) =>
		error.code === "ENOENT" && "no certutil (scripts/prepare libnss3-tools)",
);
if (noCertutil) console.error(`skipped: ${noCertutil}`);

t.test("over HTTPS", { skip: noChromium, timeout: 1_800_000 }, async (t) => {
	const port = await claimedPort();
	const earshot = await RunningAppliance.start({
		...(await tinyModel()),
		EARSHOT_TLS_PORT: String(port),
	});
	const folder = mkdtempSync(join(tmpdir(), "earshot-trust-"));
	t.teardown(async () => {
		await earshot.dispose();
		rmSync(folder, { recursive: true, force: true });
	});
	const secure = `https://localhost:${port}/console/`;

	/** Of a user without any, or with one who is trusted. */
	const browserOf = async (authority?: string) => {
		const store = join(folder, authority ? "trusting" : "new", ".pki/nssdb");
		mkdirSync(store, { recursive: true });
		if (authority) {
			const database = ["-d", `sql:${store}`];
			await run("certutil", [...database, "-N", "--empty-password"]);
			await run("certutil", [
				...[...database, "-A", "-n", "earshot", "-t", "C,,", "-i", authority],
			]);
		}
		return launch({
			args: [`--host-resolver-rules=MAP ${elsewhere} 127.0.0.1`],
			home: join(store, "../.."),
		});
	};

	await t.test(
		"whoever trusts its authority has a microphone, unwarned",
		{ skip: noCertutil },
		async (t) => {
			const authority = join(folder, "ca.crt");
			const answer = await fetch(`${earshot.url}/ca.crt`);
			writeFileSync(authority, await answer.text());
			const browser = await browserOf(authority);
			t.teardown(() => browser.close());
			const page = await browser.newPage();
			t.equal((await page.goto(secure))?.status(), 200);
			const tracks = await page.evaluate(
				`navigator.mediaDevices.getUserMedia({ audio: true }).then((it) => it.getTracks().map(({ kind }) => kind))`,
			);
			t.same(tracks, ["audio"]);
		},
	);

	await t.test("whoever does not is warned, or has none", async (t) => {
		const browser = await browserOf();
		t.teardown(() => browser.close());
		const context = await browser.newContext({ locale: "en-US" });
		const warned = await context.newPage();
		await t.rejects(warned.goto(secure), /ERR_CERT_AUTHORITY_INVALID/);
		const page = await context.newPage(); // the other still opens its warning
		const plain = new URL(`${earshot.url}/console/`);
		plain.hostname = elsewhere;
		await page.goto(plain.href);
		t.equal(await page.evaluate("isSecureContext"), false);
		await page.getByRole("textbox").fill(earshot.token);
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByRole("navigation").waitFor();
		await page.goto(`${plain.href}#/live`);
		const address = page.getByRole("link", { name: "encrypted address" });
		const wanted = secure.replace("localhost", elsewhere);
		t.equal(await address.getAttribute("href"), wanted);
		await page.getByRole("img", { name: wanted }).waitFor();
		t.equal(await page.locator("input[type=file][capture]").count(), 1);
		t.equal(await page.getByRole("button", { name: "Speak" }).count(), 0);
	});
});
