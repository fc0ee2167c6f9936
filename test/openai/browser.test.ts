/** OpenAI's package in a browser: a page of another origin sends a file, with every header that the package adds (server.cors_origins). */
import { build } from "esbuild";
import t from "tap";
import { startApi } from "../api/running-api.js";
import { folderWithSdk } from "../e2e/node-sdk.js";
import { wavBytes } from "../files/running-files.js";
import { startPageServer } from "../fixtures/chromium.js";
import { noChromium } from "../fixtures/chromium-file.js";

const folder = noChromium ? "" : await folderWithSdk();
const skip = noChromium || (folder === "" && "no npm package openai");
if (skip) console.error(`skipped: ${skip}`);

t.test("a page transcribes a file", { skip }, async (t) => {
	const pages = await startPageServer(t);
	const api = await startApi(t, { server: { cors_origins: [pages.origin] } });
	const { outputFiles } = await build({
		stdin: {
			resolveDir: folder,
			contents: `import OpenAI from "openai";
const client = new OpenAI({ baseURL: "${api.url}/v1", apiKey: "${api.token}", dangerouslyAllowBrowser: true, maxRetries: 0 });
const file = new File([Uint8Array.from(${JSON.stringify([...wavBytes(0.1)])})], "clip.wav");
const transcribe = () => client.audio.transcriptions.create({ file, model: "whisper-1", language: "en" });
const refused = (error) => [error.status, error.code];
const post = (body) => fetch("/", { method: "POST", body: JSON.stringify(body) });
(async () => ({
	text: (await transcribe()).text,
	models: (await client.models.list()).data.length,
	unknown: await client.models.retrieve("none").catch(refused),
}))().then(post, (error) => post(String(error)));`,
		},
		bundle: true,
		write: false,
		format: "iife",
		platform: "browser",
	});
	const answers = JSON.parse(await pages.ask(outputFiles?.[0]?.text ?? ""));
	t.match(answers, {
		text: /^heard/,
		models: 0,
		unknown: [404, "model_not_found"],
	});
});
