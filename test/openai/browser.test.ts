/** OpenAI's package in a browser: a page of another origin sends a file, with every header that the package adds (server.cors_origins). */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import t from "tap";
import { startApi } from "../api/running-api.js";
import { folderWithSdk } from "../e2e/node-sdk.js";
import { wavBytes } from "../files/running-files.js";

const answerMsMax = 60_000;

const chromium = await promisify(execFile)("which", ["chromium"]).then(
	({ stdout }) => stdout.trim(),
	() => "",
);
const folder = chromium === "" ? "" : await folderWithSdk();
const skip =
	(chromium === "" && "no chromium (scripts/prepare chromium)") ||
	(folder === "" && "no npm package openai");
if (skip) console.error(`skipped: ${skip}`);

t.test("a page transcribes a file", { skip }, async (t) => {
	let page = "";
	let onAnswer: (text: string) => void = () => {};
	const answered = new Promise<string>((resolve) => {
		onAnswer = resolve;
	});
	const pages = createServer((request, response) => {
		if (request.method === "GET") {
			response.setHeader("content-type", "text/html; charset=utf-8");
			response.end(request.url === "/" ? page : "");
			return;
		}
		const parts: Buffer[] = [];
		request.on("data", (data: Buffer) => parts.push(data));
		request.on("end", () => {
			response.end();
			onAnswer(Buffer.concat(parts).toString());
		});
	}).listen(0, "127.0.0.1");
	await once(pages, "listening");
	const origin = `http://localhost:${(pages.address() as AddressInfo).port}`;
	const api = await startApi(t, { server: { cors_origins: [origin] } });
	const { outputFiles } = await build({
		stdin: {
			resolveDir: folder,
			contents: `import OpenAI from "openai";
const client = new OpenAI({ baseURL: "${api.url}/v1", apiKey: "${api.token}", dangerouslyAllowBrowser: true, maxRetries: 0 });
const file = new File([Uint8Array.from(${JSON.stringify([...wavBytes(0.1)])})], "clip.wav");
const said = () => client.audio.transcriptions.create({ file, model: "whisper-1", language: "en" });
const refused = (error) => [error.status, error.code];
const post = (body) => fetch("/", { method: "POST", body: JSON.stringify(body) });
(async () => ({
	text: (await said()).text,
	models: (await client.models.list()).data.length,
	unknown: await client.models.retrieve("none").catch(refused),
}))().then(post, (error) => post(String(error)));`,
		},
		...{ bundle: true, write: false, format: "iife", platform: "browser" },
	});
	page = `<!doctype html><script>${outputFiles?.[0]?.text.replaceAll("</script", "<\\/script")}</script>`;
	const profile = mkdtempSync(join(tmpdir(), "earshot-page-"));
	const browser = spawn(
		chromium,
		[
			...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"],
			...["--no-first-run", "--disable-background-networking"],
			...["--disable-component-update", "--disable-sync"],
			...[`--user-data-dir=${profile}`, `${origin}/`],
		],
		{ stdio: "ignore" },
	);
	const ended = once(browser, "exit");
	t.teardown(async () => {
		browser.kill("SIGKILL");
		await ended;
		pages.closeAllConnections();
		pages.close();
		rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
	});
	const late = setTimeout(() => onAnswer('"no answer"'), answerMsMax);
	const said = JSON.parse(await answered);
	clearTimeout(late);
	t.match(said, {
		text: /^heard/,
		models: 0,
		unknown: [404, "model_not_found"],
	});
});
