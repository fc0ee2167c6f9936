/** Whatever one connection sends, others have their turn (docs/realtime.md): nothing holds the event loop for 50 ms. */
import t from "tap";
import type { LiveSocket } from "../../runtime/api/live-socket.js";
import { unmeasured } from "../../runtime/api/metrics/endpoints.js";
import { RealtimeSession } from "../../runtime/api/openai/realtime/realtime-session.js";
import { defaultSettings } from "../../runtime/api/openai/realtime/settings.js";
import { loggerTo } from "../../runtime/log/log.js";
import { ownerOf } from "../../runtime/owner.js";
import { languageRules } from "../../runtime/session/wanted-language.js";
import { FakeLane } from "../api/fake-lane.js";
import { until } from "../fixtures/eventually.js";
import { noWords } from "../live/no-words.js";
import { longestTurnMs } from "../store/loop-turns.js";

const heldMsMax = 50;
const mebibyte = 1024 * 1024;

/** What the server library hands over in one turn, and the answers to it. */
async function held(texts: readonly string[], last: string): Promise<number> {
	const answers: string[] = [];
	const socket: LiveSocket = {
		send: (text) => answers.push(text),
		started: () => {},
		unreadBytes: 0,
		hold: () => {},
		release: () => {},
		close: () => {},
	};
	const session = new RealtimeSession(
		{
			lane: new FakeLane(),
			caller: ownerOf("token", "kiosk"),
			dialect: "ga",
			settings: defaultSettings,
			sources: {
				installed: ["en-US"],
				languageRules: languageRules("", []),
				wordLists: noWords,
			},
			checkModel: () => undefined,
			measure: () => unmeasured,
			unreadBytesMax: 1,
			log: loggerTo({ write: () => {} }, "error"),
			onOver: () => {},
		},
		socket,
	);
	session.begin();
	const longest = await longestTurnMs(async () => {
		for (const text of texts) session.onText(text);
		session.onText('{"type":"input_audio_buffer.clear"}');
		await until(() => answers.at(-1)?.includes(last) ?? false);
	});
	session.onClosed();
	return longest;
}

const append = (audio: string) =>
	`{"type":"input_audio_buffer.append","audio":"${audio}"}`;
const cases: Readonly<Record<string, readonly string[]>> = {
	"four thousand commits": Array(4000).fill(
		'{"type":"input_audio_buffer.commit"}',
	),
	"four thousand updates": Array(4000).fill(
		'{"type":"session.update","session":{"audio":{"input":{"turn_detection":null}}}}',
	),
	"four thousand that are not JSON": Array(4000).fill("{"),
	"two mebibytes of audio": [append("A".repeat(2 * mebibyte - 100))],
	"two mebibytes that are not base64": [
		append(`${"A".repeat(2 * mebibyte - 100)}?`),
	],
	"escaped base64": [append("\\u0041".repeat(mebibyte / 4))],
	"nested lists": [`{"type":${"[".repeat(mebibyte)}`],
	"many names": [
		`{${Array.from({ length: 100_000 }, (_, at) => `"${at}":1`).join(",")}}`,
	],
	"a long type": [`{"type":"${"x".repeat(2 * mebibyte - 100)}"}`],
};

// compiled by then
await held(cases["four thousand commits"] ?? [], "buffer.cleared");

for (const [what, texts] of Object.entries(cases))
	t.test(what, async (t) => {
		// garbage may be collected during one
		let longest = Number.POSITIVE_INFINITY;
		for (let i = 0; i < 3 && longest >= heldMsMax; i++)
			longest = Math.min(longest, await held(texts, "buffer.cleared"));
		t.ok(longest < heldMsMax, `${longest.toFixed(1)} ms`);
	});
