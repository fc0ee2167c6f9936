/** The AudioSocket endpoint on a free port, with a lane that does as a test says, and frames as Asterisk sends them. */
import { connect, type Socket } from "node:net";
import type { Test } from "tap";
import { AudioSocketEndpoint } from "../../runtime/api/audiosocket/audiosocket-endpoint.js";
import { loadConfig } from "../../runtime/config/load.js";
import type { Config } from "../../runtime/config/schema.js";
import { loggerTo } from "../../runtime/log/log.js";
import { languageRules } from "../../runtime/session/wanted-language.js";
import { noWords } from "../live/no-words.js";
import { runningCalls } from "./running-calls.js";

export async function startAudioSocket(
	t: Test,
	overrides: Partial<Config["audiosocket"]> = {},
) {
	const calls = await runningCalls(t);
	const log: string[] = [];
	const { values } = loadConfig({ environment: {}, root: t.testdir() });
	const endpoint = new AudioSocketEndpoint({
		config: {
			...values.audiosocket,
			host: "127.0.0.1",
			port: 0,
			...overrides,
		},
		calls: calls.calls as NonNullable<typeof calls.calls>,
		sources: {
			languages: ["ja-JP", "en-US"],
			languageRules: () => languageRules("en-US", []),
			wordLists: noWords,
		},
		partials: false,
		endpointMetrics: calls.api.metrics.endpoints,
		log: loggerTo({ write: (line) => log.push(line) }, "debug"),
	});
	const port = await endpoint.start();
	t.teardown(() => endpoint.stop(1000));
	return {
		...calls,
		endpoint,
		port,
		log,
		/** A connection that counts what comes back. */
		async asterisk(): Promise<Socket & { got: number }> {
			calls.lane.behaviour = {};
			calls.lane.opened.length = 0;
			const socket = Object.assign(connect(port, "127.0.0.1"), { got: 0 });
			socket.on("data", (bytes) => {
				socket.got += bytes.length;
			});
			socket.on("error", () => {});
			await new Promise((resolve) => socket.once("connect", resolve));
			return socket;
		},
	};
}

export const uuid = "40325ec2-5efd-4bd3-805f-53576e581d13";

export function frame(
	kind: number,
	payload: Uint8Array = new Uint8Array(0),
): Buffer {
	const header = Buffer.from([kind, payload.length >> 8, payload.length & 255]);
	return Buffer.concat([header, payload]);
}

export const named = (name = uuid) =>
	frame(0x01, Buffer.from(name.replaceAll("-", ""), "hex"));
