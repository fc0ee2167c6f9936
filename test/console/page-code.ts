/** Code of the page that needs no document, run here: bundled as the console is, with fakes for what browsers give it. */
import { join } from "node:path";
import { build } from "esbuild";
import type { Test } from "tap";
import { repository } from "../e2e/running-appliance.js";

const folder = join(repository, "runtime/console");

/** @param files below runtime/console. @returns what they export, together, with a state of their own */
export async function pageCode<Exports>(
	...files: readonly string[]
): Promise<Exports> {
	const contents = files.map((it) => `export * from "./${it}";`).join("\n");
	const { outputFiles } = await build({
		bundle: true,
		write: false,
		format: "esm",
		logLevel: "silent",
		jsx: "automatic",
		jsxImportSource: "preact",
		tsconfig: join(folder, "tsconfig.json"),
		stdin: { contents, resolveDir: folder },
		define: {
			"document.baseURI": '"http://device/console/"',
			"navigator.languages": '["en"]',
		},
	});
	const [bundle] = outputFiles ?? [];
	const base64 = Buffer.from(bundle?.contents ?? "").toString("base64");
	return import(`data:text/javascript;base64,${base64}`);
}

export interface SentRequest {
	readonly method: string;
	/** Without the address of the device. */
	readonly path: string;
	readonly json: unknown;
	readonly keepalive: boolean;
	answer(status: string, data?: unknown, http?: number): void;
	/** The device is away. */
	fail(): void;
}

/** Requests of the page, in their order; each waits until the test answers it. */
export class FakeDevice {
	readonly requests: SentRequest[] = [];
	#come: () => void = () => {};

	constructor(t: Test) {
		replaceGlobal(t, "fetch", (url: string, parts: RequestInit) =>
			this.#fetch(url, parts),
		);
	}

	/** @returns the request with this number, from 0, as soon as it is there. */
	async request(number: number): Promise<SentRequest> {
		for (;;) {
			const there = this.requests[number];
			if (there) return there;
			await new Promise<void>((resolve) => {
				this.#come = resolve;
			});
		}
	}

	#fetch(url: string, parts: RequestInit): Promise<Response> {
		return new Promise((resolve, reject) => {
			this.requests.push({
				method: parts.method ?? "GET",
				path: url.replace("http://device", ""),
				json: parts.body ? JSON.parse(String(parts.body)) : undefined,
				keepalive: parts.keepalive === true,
				answer(status, data = null, http = 200) {
					const envelope = { status, message: `status ${status}`, data };
					resolve(Response.json(envelope, { status: http }));
				},
				fail: () => reject(new TypeError("Failed to fetch")),
			});
			this.#come();
		});
	}
}

/** Of what browsers give a page, until the test ends. */
export function replaceGlobal(t: Test, name: string, value: unknown): void {
	const before = Object.getOwnPropertyDescriptor(globalThis, name);
	const replaced = { value, configurable: true, writable: true };
	Object.defineProperty(globalThis, name, replaced);
	t.teardown(() => {
		if (before) Object.defineProperty(globalThis, name, before);
		else Reflect.deleteProperty(globalThis, name);
	});
}

/** Everything that follows from what is there already has happened. */
export function settled(): Promise<void> {
	return new Promise((done) => setImmediate(done));
}
