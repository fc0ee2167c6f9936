/** What the endpoints with a listener of their own take over at a reload. */
import { once } from "node:events";
import { connect } from "node:net";
import t from "tap";
import { openListeners } from "../../runtime/appliance/listeners.js";
import { loadConfig } from "../../runtime/config/load.js";
import { loggerTo } from "../../runtime/log/log.js";
import { frame, named } from "../calls/running-audiosocket.js";
import { runningCalls } from "../calls/running-calls.js";
import { eventually } from "../fixtures/eventually.js";
import { nextUuid } from "../fixtures/ids.js";
import { noWords } from "../live/no-words.js";
import { VoskClient } from "../vosk/vosk-client.js";
import { WyomingClient } from "../wyoming/wyoming-client.js";

const chinese = "zh-cmn-Hans-CN";
const mixed = "zh-cmn-Hans-CN-en-US";

t.test("endpoints.languages counts for every endpoint", async (t) => {
	const { calls, lane, api } = await runningCalls(t);
	if (!calls) throw new Error("no calls");
	const { values: config } = loadConfig({
		environment: {},
		overrides: ["wyoming", "vosk", "audiosocket"].flatMap((it) => [
			`${it}.enabled=true`,
			`${it}.host=127.0.0.1`,
			`${it}.port=0`,
			`${it}.language=zh`,
		]),
	});
	let inForce = { ...config, wyoming: { ...config.wyoming, announce: false } };
	const listeners = openListeners({
		config: inForce,
		inForce: () => inForce,
		calls,
		lane,
		languages: ["en-US", chinese, mixed],
		wordLists: noWords,
		model: () => "whisper-base",
		version: "1.2.3",
		endpointMetrics: api.metrics.endpoints,
		log: loggerTo({ write() {} }, "fatal"),
	});
	await listeners.start();
	t.teardown(() => listeners.stop(0));
	const portOf = (endpoint: string) => listeners.portOf(endpoint) ?? 0;

	/** @returns the language that a recognition of each is opened in. */
	const recognitionLanguages = async () => {
		const found: Record<string, string> = {};
		const language = async (endpoint: string, send: () => void) => {
			lane.options = undefined;
			send();
			const given = await eventually("its options", () => lane.options);
			found[endpoint] = given.language;
		};
		const wyoming = await WyomingClient.open(portOf("wyoming"));
		await language("wyoming", () => {
			wyoming.send("transcribe", {});
			wyoming.audio(3200);
		});
		wyoming.socket.destroy();
		const vosk = await VoskClient.open(portOf("vosk"));
		await language("vosk", () => vosk.socket.send(new Uint8Array(6400)));
		vosk.socket.terminate();
		const call = connect(portOf("audiosocket"), "127.0.0.1");
		await once(call, "connect");
		await language("audiosocket", () => {
			call.write(named(nextUuid()));
			const loud = new Uint8Array(320).fill(0x40);
			for (let i = 0; i < 10; i++) call.write(frame(0x10, loud));
		});
		call.destroy();
		return found;
	};
	const all = (language: string) => ({
		wyoming: language,
		vosk: language,
		audiosocket: language,
	});
	t.same(await recognitionLanguages(), all(chinese));
	const endpoints = { ...config.endpoints, languages: ["zh=zh-en"] };
	inForce = { ...inForce, endpoints };
	t.same(await recognitionLanguages(), all(mixed));
});
