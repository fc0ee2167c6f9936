/**
 * What another interface's endpoint adds to the time of `POST /v1/asr/api`: clips of about 5 s, asked for at each endpoint in turn on one server, one request at
 * a time, from the first byte sent to the last byte read. Compared are two requests for the same clip, one right after the other; and what they cost the main
 * process, where all of an endpoint's own work is done: that is known also on a machine that has other work.
 * Usage: scripts/bench endpoints [--rounds N] [--record]
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Clip, langTypes, readClips } from "./clips.js";
import { judged, report } from "./report.js";
import { processorMs, type Server, withServer } from "./server.js";
import { median, percentile } from "./statistics.js";

const { values } = parseArgs({
	options: {
		rounds: { type: "string", default: "6" },
		record: { type: "boolean", default: false },
	},
});
const addedMsMax = 5;

interface Body {
	readonly langType: string;
	readonly wav: Buffer;
}

type Ask = (body: Body) => Promise<string>;

/** The first is what the others are compared with. */
function endpointsOf({
	door: { url, token },
}: Server): readonly (readonly [name: string, ask: Ask])[] {
	const headers = { Authorization: `Bearer ${token}` };
	const native: Ask = async ({ langType, wav }) => {
		const query = `lang_type=${langType}&format=wav`;
		const answer = await fetch(`${url}/v1/asr/api?${query}`, {
			...{ method: "POST", headers, body: wav },
		});
		const { data } = (await answer.json()) as { data: { result: string } };
		return data.result;
	};
	const form = (
		path: string,
		fields: Readonly<Record<string, string>> = {},
	) => {
		const ask = async ({ langType, wav }: Body): Promise<string> => {
			const body = new FormData();
			body.set("file", new Blob([wav]), "clip.wav");
			body.set("language", langType);
			body.set("model", "whisper-1");
			for (const [name, value] of Object.entries(fields)) body.set(name, value);
			const answer = await fetch(url + path, {
				...{ method: "POST", headers, body },
			});
			return answer.text();
		};
		return ask;
	};
	const text = (ask: Ask): Ask => {
		return async (body) => JSON.parse(await ask(body)).text;
	};
	/** The text of the last event. */
	const streamed = (ask: Ask): Ask => {
		return async (body) => {
			const [, done = ""] =
				/^data: (.*transcript\.text\.done.*)$/m.exec(await ask(body)) ?? [];
			return JSON.parse(done).text;
		};
	};
	const openAi = "/v1/audio/transcriptions";
	return [
		["POST /v1/asr/api", native],
		["POST /v1/asr/api again", native],
		["POST /v1/audio/transcriptions", text(form(openAi))],
		["the same with stream", streamed(form(openAi, { stream: "true" }))],
		["POST /inference", text(form("/inference"))],
	];
}

const clips: readonly Clip[] = (readClips() ?? []).filter(
	({ seconds }) => seconds >= 4.7 && seconds <= 5.6,
);
if (clips.length === 0) process.exit(1);
const bodies: readonly Body[] = clips.map(({ path, language }) => ({
	langType: langTypes[language],
	wav: readFileSync(path),
}));

const settings = {
	EARSHOT_AUTH_RATE_PER_SECOND: "0",
	EARSHOT_ENDPOINTS_WHISPER_CPP: "true",
};
await withServer(settings, async (server) => {
	const endpoints = endpointsOf(server);
	const added = new Map(endpoints.map(([name]) => [name, [] as number[]]));
	const worked = new Map(endpoints.map(([name]) => [name, [] as number[]]));
	const [[, native] = []] = endpoints;
	for (const body of bodies) await native?.(body); // warm-up
	for (let round = 0; round < Number(values.rounds); round++)
		for (const body of bodies) {
			const taken = new Map<string, number>();
			const texts = new Set<string>();
			// whoever is first finds colder caches
			const order = round % 2 === 0 ? endpoints : endpoints.toReversed();
			for (const [name, ask] of order) {
				const beganMs = performance.now();
				const processorBeganMs = processorMs(server.pid);
				texts.add(await ask(body));
				taken.set(name, performance.now() - beganMs);
				worked.get(name)?.push(processorMs(server.pid) - processorBeganMs);
			}
			if (texts.size > 1)
				throw new Error(`different texts: ${[...texts].join(" / ")}`);
			const [[first = ""] = []] = endpoints;
			for (const [name, ms] of taken)
				added.get(name)?.push(ms - (taken.get(first) ?? 0));
		}
	const shown = (all: readonly number[], digits = 1) =>
		`${median(all).toFixed(digits)} / ${percentile(all, 0.95).toFixed(digits)} ms`;
	const [, control, ...others] = [...added];
	const mainMs = (name: string) => median(worked.get(name) ?? []);
	const nativeMs = mainMs(endpoints[0]?.[0] ?? "");
	report(
		[
			...others.map(([name]) => ({
				what: `endpoints: ${name}, processor time of the main process for a request, median (POST /v1/asr/api: ${nativeMs.toFixed(2)} ms)`,
				earshot: `${mainMs(name).toFixed(2)} ms`,
				goal: judged(
					`< ${addedMsMax} ms more`,
					mainMs(name) - nativeMs < addedMsMax,
				),
			})),
			...others.map(([name, all]) => ({
				what: `endpoints: ${name} after POST /v1/asr/api, ${bodies.length} clips of 5 s, median / p95 of the difference (of that endpoint with itself: ${shown(control?.[1] ?? [])})`,
				earshot: shown(all),
				goal: judged(`median < ${addedMsMax} ms`, median(all) < addedMsMax),
			})),
		],
		values.record,
	);
});
