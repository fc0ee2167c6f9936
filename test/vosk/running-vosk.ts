/** The Vosk endpoint on a free port, with a lane that does as a test says. */
import { Metrics } from "../../runtime/api/metrics/metrics.js";
import { VoskEndpoint } from "../../runtime/api/vosk/vosk-endpoint.js";
import { loadConfig } from "../../runtime/config/load.js";
import type { Config } from "../../runtime/config/schema.js";
import { loggerTo } from "../../runtime/log/log.js";
import { languageRules } from "../../runtime/session/wanted-language.js";
import { FakeLane } from "../api/fake-lane.js";
import { noWords } from "../live/no-words.js";

interface Parent {
	testdir(): string;
	teardown(act: () => Promise<void>): unknown;
}

export async function startVosk(
	t: Parent,
	changes: Partial<Config["vosk"]> = {},
) {
	const { values } = loadConfig({ environment: {}, root: t.testdir() });
	const lane = new FakeLane();
	const log: string[] = [];
	const metrics = new Metrics();
	const endpoint = new VoskEndpoint({
		config: { ...values.vosk, host: "127.0.0.1", port: 0, ...changes },
		lane,
		languages: ["en-US", "ja-JP"],
		languageRules: () => languageRules("en-US", []),
		wordLists: noWords,
		corsOrigins: () => ["https://friend.example"],
		endpointMetrics: metrics.endpoints,
		log: loggerTo({ write: (line) => log.push(line) }, "debug"),
	});
	const port = await endpoint.start();
	t.teardown(async () => {
		await endpoint.stop(0);
		metrics.close();
	});
	return { endpoint, lane, port, log, metrics };
}
