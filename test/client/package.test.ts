/** The npm package of the client (packages/client) as others get it: packed, installed, run in Node, bundled for a browser and run there. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import t from "tap";
import { startPageServer } from "../fixtures/chromium.js";
import { noChromium } from "../fixtures/chromium-file.js";
import { startService } from "./fake-service.js";

const run = promisify(execFile);
const repository = process.cwd();
const source = join(repository, "packages/client");

const session = `
const client = new EarshotClient({ url, token: "secret" });
const kinds = [];
const reading = (async () => { for await (const { is } of client) kinds.push(is); })();
await client.start({ lang_type: "en-US" });
await client.send(new Uint8Array(640));
const { text } = await client.stop();
await reading;
const refused = new EarshotClient({ url: nobody });
const error = await refused.start({ lang_type: "en-US" }).catch((error) => error);
return { text, kinds, refused: [error.name, error instanceof EarshotError] };
`;
const wanted = {
	text: "all of it",
	kinds: ["completed"],
	refused: ["ConnectionLostError", true],
};

t.test("packed and installed", async (t) => {
	const folder = t.testdir({
		"package.json": '{"private":true,"type":"module"}',
	});
	const packed = await run("npm", ["pack", "--pack-destination", folder], {
		cwd: source,
	});
	const tarball = packed.stdout.trim().split("\n").at(-1) ?? "";
	// `ws` from here: this works without a package index
	await run(
		"npm",
		[
			...["install", "--offline", "--no-audit", "--no-fund"],
			...[join(folder, tarball), join(repository, "node_modules/ws")],
		],
		{ cwd: folder },
	);
	const installed = join(folder, "node_modules/earshot-client");
	const service = await startService(t, {});
	const given = {
		url: service.url,
		nobody: "http://127.0.0.1:9", // discard: nothing listens
	};

	t.test("what is in it", async (t) => {
		const manifest = JSON.parse(
			readFileSync(join(installed, "package.json"), "utf8"),
		);
		const own = JSON.parse(readFileSync("package.json", "utf8"));
		t.same(
			[manifest.version, manifest.license, manifest.engines],
			[own.version, own.license, own.engines],
		);
		t.same(manifest.dependencies, { ws: `^${own.dependencies.ws}` });
		t.equal(
			readFileSync(join(installed, "LICENSE"), "utf8"),
			readFileSync("LICENSE", "utf8"),
		);
		t.match(readFileSync(join(installed, "README.md"), "utf8"), /npm install/);
	});

	t.test("in Node", async (t) => {
		const script = join(folder, "talk.js");
		writeFileSync(
			script,
			`import { EarshotClient, EarshotError } from "earshot-client";
const { url, nobody } = ${JSON.stringify(given)};
const talk = async () => {${session}};
console.log(JSON.stringify(await talk()));`,
		);
		const { stdout } = await run(process.execPath, [script]);
		t.same(JSON.parse(stdout), wanted);
		t.equal(service.callers.at(-1)?.headers.authorization, "Bearer secret");
	});

	t.test("its README's program", async (t) => {
		const readme = readFileSync(join(installed, "README.md"), "utf8");
		const [, program = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
		writeFileSync(
			join(folder, "readme.js"),
			program.replace("http://127.0.0.1:7100", service.url),
		);
		writeFileSync(join(folder, "clip.wav"), new Uint8Array(1000));
		const { stdout } = await run(process.execPath, ["readme.js"], {
			cwd: folder,
			env: { ...process.env, TOKEN: "secret" },
		});
		t.equal(stdout, "all of it\n");
		t.equal(service.callers.at(-1)?.audioBytes, 1000);
	});

	t.test("types, in Node and in a page", async (t) => {
		mkdirSync(join(folder, "src"));
		writeFileSync(
			join(folder, "src/use.ts"),
			`import { EarshotClient, type Result, TaskFailedError } from "earshot-client";
export async function use(client: EarshotClient): Promise<string | boolean> {
	const result: Result = await client.stop();
	// @ts-expect-error: there is no such option
	new EarshotClient({ adress: "" });
	const error: unknown = undefined;
	return error instanceof TaskFailedError ? error.retryable : result.is;
}`,
		);
		// nothing of Node's types, and the package's own types are checked
		const strict = ["--ignoreConfig", "--strict", "--noEmit", "--types", ""];
		for (const options of [
			["--module", "nodenext", "--lib", "es2023,dom"],
			[
				...["--module", "esnext", "--moduleResolution", "bundler"],
				...["--customConditions", "browser", "--lib", "es2023,dom"],
			],
		])
			await t.resolves(
				run(
					join(repository, "node_modules/typescript-native/bin/tsc"),
					[...strict, ...options, "src/use.ts"],
					{ cwd: folder },
				),
			);
	});

	const bundle = async (contents: string) => {
		const { outputFiles, metafile } = await build({
			stdin: { contents, resolveDir: folder },
			bundle: true,
			write: false,
			minify: true,
			metafile: true,
			format: "iife",
			platform: "browser",
		});
		return { code: outputFiles[0]?.text ?? "", from: metafile.inputs };
	};

	t.test("for a browser: one file, without Node's modules", async (t) => {
		const { code, from } = await bundle(
			'export * from "earshot-client"; export * from "earshot-client/browser";',
		);
		const files = Object.keys(from).filter((it) => it !== "<stdin>");
		t.equal(files.length, 1, files.join());
		t.match(files[0], /earshot-client\/dist\/browser\.js$/);
		t.notMatch(code, /require\(|node:/);
		const whole = readFileSync(join(installed, "dist/browser.js"));
		t.ok(gzipSync(whole).length < 10_000, `${gzipSync(whole).length} bytes`);
	});

	t.test("in a page", { skip: noChromium }, async (t) => {
		const pages = await startPageServer(t);
		const { code } = await bundle(
			`import { EarshotClient, EarshotError } from "earshot-client";
const { url, nobody } = ${JSON.stringify(given)};
const talk = async () => {${session}};
const post = (answer) => fetch("/", { method: "POST", body: JSON.stringify(answer) });
talk().then(post, (error) => post(String(error)));`,
		);
		t.same(JSON.parse(await pages.ask(code)), wanted);
		const { headers } = service.callers.at(-1) ?? {};
		t.equal(headers?.["sec-websocket-protocol"], "bearer.secret");
	});
});
