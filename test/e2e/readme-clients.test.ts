/** The README's "talk to it" in three languages, each as it is printed there, run against a real appliance. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { clipBytes } from "../audio/clips.js";
import { pcmWav } from "../audio/wav-bytes.js";
import { missing, probeClip } from "../engine/real-lane.js";
import { openPage } from "../fixtures/chromium.js";
import { noChromium } from "../fixtures/chromium-file.js";
import { pythonWithClients } from "./python-environment.js";
import { type RunningAppliance, repository } from "./running-appliance.js";
import { sharedWithPorts } from "./shared-appliance.js";

const run = promisify(execFile);
const { words } = probeClip();

/** The README's only block of a language, with the address and token of a running appliance. */
function example(language: string, earshot: RunningAppliance): string {
	const readme = readFileSync(join(repository, "README.md"), "utf8");
	const blocks = [
		...readme.matchAll(
			new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"),
		),
	];
	if (blocks.length !== 1 || !blocks[0]?.[1])
		throw new Error(`${blocks.length} blocks of ${language}`);
	return blocks[0][1]
		.replaceAll("127.0.0.1:7100", new URL(earshot.url).host)
		.replaceAll('"TOKEN"', `"${earshot.token}"`);
}

/** The clip behind three seconds of silence: the fake microphone speaks from when it is asked for, and the socket is opened only then. */
function spokenLater(clip: string): Uint8Array {
	const silence = Buffer.alloc(3 * 32_000);
	return pcmWav(Buffer.concat([silence, clipBytes(clip)]));
}

const { appliance: earshot, ports } = await sharedWithPorts();
// localhost is a place that browsers give microphones to
const origin = `http://localhost:${ports.page}`;
const pages = createServer().listen(ports.page, "127.0.0.1");
await once(pages, "listening");
t.teardown(() => pages.close());

t.test("TypeScript, checked and run", async (t) => {
	// inside the package, so that its own name leads to it as it does for whoever installs it
	const folder = join(repository, "build/readme");
	mkdirSync(folder, { recursive: true });
	const source = join(folder, "talk.ts");
	writeFileSync(source, example("ts", earshot));
	const compiler = join(repository, "node_modules/typescript-native/bin/tsc");
	const checked = await run(process.execPath, [
		...[compiler, source, "--module", "nodenext", "--target", "es2023"],
		...["--strict", "--exactOptionalPropertyTypes", "--skipLibCheck"],
		...["--types", "node", "--rootDir", folder, "--outDir", folder],
		"--ignoreConfig",
	]);
	t.equal(checked.stdout, "", "no error");
	const script = join(folder, "talk.js");
	const { stdout } = await run(process.execPath, [script], {
		cwd: repository,
		env: { ...process.env, TOKEN: earshot.token },
	});
	const lines = stdout.trim().split("\n");
	t.same(missing(lines.at(-1), words), [], stdout);
});

const environment = await pythonWithClients();
const noPython = "missing" in environment ? environment.missing : false;

t.test("Python, with plain websockets", { skip: noPython }, async (t) => {
	if ("missing" in environment) return;
	const { stdout } = await run(
		environment.python,
		["-c", example("python", earshot)],
		{ cwd: repository, env: { ...process.env, TOKEN: earshot.token } },
	);
	const lines = stdout.trim().split("\n");
	t.match(lines[0], /^RecognitionStarted/);
	t.match(lines.at(-1), /^RecognitionCompleted /);
	t.same(missing(lines.at(-1), words), [], stdout);
});

if (noChromium) console.error(`skipped: ${noChromium}`);

t.test("a page, with a microphone", { skip: noChromium }, async (t) => {
	const shown: string[] = [];
	const messages: string[] = [];
	let sound: Buffer = Buffer.alloc(0);
	let enough = () => {};
	const over = new Promise<void>((resolve) => {
		enough = resolve;
	});
	let page = "";
	pages.on("request", (request, response) => {
		if (request.method === "GET") {
			response.setHeader("content-type", "text/html; charset=utf-8");
			response.end(page);
			return;
		}
		const parts: Buffer[] = [];
		request.on("data", (data: Buffer) => parts.push(data));
		request.on("end", () => {
			response.end();
			const body = Buffer.concat(parts);
			if (request.url === "/sound") sound = body;
			else if (request.url === "/closed") enough();
			else if (request.url === "/message") messages.push(body.toString());
			else shown.push(body.toString());
		});
	});
	// the button is pressed; what the page shows, what it was told and the sound that it sent come back, in order
	page = `<!doctype html>${example("html", earshot)}<script type="module">
		let posting = Promise.resolve();
		const post = (path, body) => posting = posting.then(() => fetch(path, { method: "POST", body }));
		new MutationObserver(() => post("/text", text.textContent)).observe(text, { childList: true });
		window.onunhandledrejection = ({ reason }) => post("/text", "broken: " + reason);
		const Real = WebSocket;
		WebSocket = class extends Real {
			#sound = [];
			constructor(...given) {
				super(...given);
				this.addEventListener("message", ({ data }) => post("/message", data));
				this.addEventListener("close", () => { post("/sound", new Blob(this.#sound)); post("/closed", ""); });
			}
			send(data) {
				if (typeof data !== "string") this.#sound.push(data);
				super.send(data);
			}
		};
		talk.click();
	</script>`;
	const folder = mkdtempSync(join(tmpdir(), "earshot-spoken-"));
	t.teardown(() => rmSync(folder, { recursive: true, force: true }));
	// a fake microphone that says the clip once, and hears nothing after it
	const spoken = join(folder, "spoken.wav");
	writeFileSync(spoken, spokenLater("en-librivox-0870.wav"));
	t.teardown(() => pages.closeAllConnections());
	openPage(t, `${origin}/`, [
		...["--use-fake-device-for-media-stream"],
		...["--use-fake-ui-for-media-stream"],
		`--use-file-for-fake-audio-capture=${spoken}%noloop`,
		"--autoplay-policy=no-user-gesture-required",
	]);
	const late = setTimeout(enough, 300_000); // a browser on a busy machine
	await over;
	clearTimeout(late);
	// a busy browser drops some of its fake microphone's sound: what counts is what the page sent
	const clip = /dashwood|leisure|consider|prudently|power/gi;
	const wordsIn = (text: string) => text.toLowerCase().match(clip) ?? [];
	const final = shown.at(-1) ?? "";
	const answer = await earshot.recognize(
		{ lang_type: "en-US", format: "pcm", sample_rate: "16000" },
		sound,
	);
	const answered = await answer.text();
	t.ok(wordsIn(final).length > 0, final);
	t.same(wordsIn(final), wordsIn(answered), `${final}\n${answered}`);
	const told = messages.map((it): string => {
		const { header, payload } = JSON.parse(it);
		return payload?.result ?? header.status_text;
	});
	t.same(
		shown,
		told.filter((it) => it !== ""), // nothing has changed by it
		"whatever the device says is shown as it comes",
	);
});
