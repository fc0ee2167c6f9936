/** The real API on a free port of this machine, with a real store in a test's directory and a fake lane. */

import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { Writable } from "node:stream";
import { openEncoder } from "../../drivers/ffmpeg/encoder.js";
import { Api } from "../../runtime/api/api.js";
import type { ApiParts } from "../../runtime/api/api-parts.js";
import { ConsoleAssets } from "../../runtime/api/console/assets.js";
import type { HealthCheck } from "../../runtime/api/health.js";
import { watchAppliance } from "../../runtime/api/metrics/appliance.js";
import type { InstalledModel } from "../../runtime/api/openai/models.js";
import type { CallTasks } from "../../runtime/calls/call.js";
import { Calls } from "../../runtime/calls/calls.js";
import { loadConfig } from "../../runtime/config/load.js";
import type { Config } from "../../runtime/config/schema.js";
import { loggerTo } from "../../runtime/log/log.js";
import { LogTail } from "../../runtime/log/log-tail.js";
import { AudioLinks } from "../../runtime/recordings/audio-links.js";
import { Recordings } from "../../runtime/recordings/recordings.js";
import type { Lane } from "../../runtime/session/lane-port.js";
import { configuredLists } from "../../runtime/session/options.js";
import { AudioShelf } from "../../runtime/store/audio-shelf.js";
import type { ListLimits } from "../../runtime/store/list-quota.js";
import { openStore, type Store } from "../../runtime/store/open-store.js";
import type { Scope } from "../../runtime/store/token-row.js";
import {
	FileIntake,
	type IntakeParts,
} from "../../runtime/tasks/intake/file-intake.js";
import type { Language } from "../../runtime/text/languages.js";
import type { ReferringMicrophone } from "../../runtime/word-lists/uses.js";
import { WordLists } from "../../runtime/word-lists/word-lists.js";
import { correctionLimits } from "../../runtime/words/correction.js";
import { plainClock } from "../clock/plain-clock.js";
import { knownSecrets } from "../secrets/known-secrets.js";
import { checkNothingLeaked } from "../secrets/leaks.js";
import "../secrets/watched-clients.js";
import { fakeDevice, laneStats, smallConsole } from "./fake-device.js";
import { FakeLane } from "./fake-lane.js";
import { FakeMicrophones } from "./fake-microphones.js";

export interface Answer {
	readonly http: number;
	readonly status: string;
	readonly message: string;
	readonly data: unknown;
	readonly headers: Headers;
}

type Overrides = { readonly [S in keyof Config]?: Partial<Config[S]> } & {
	/** Of recordings. */
	readonly audioBytesMax?: number;
	readonly lists?: ListLimits;
	/** That `GET /v1/models` lists; none by default. */
	readonly models?: readonly InstalledModel[];
	/** Where transcripts of calls are stored; absent: no calls are taken. */
	readonly callTasks?: CallTasks;
	/** Instead of a correct one. */
	readonly clock?: ApiParts["clock"];
	/** How long a result waits for its recording: on a disk that is busy with other tests longer than on a device. */
	readonly sealMsMax?: number;
};

export interface RunningApi {
	readonly api: Api;
	readonly calls: Calls | undefined;
	/** The services of file transcription. */
	readonly intake: FileIntake | undefined;
	readonly store: Store;
	/** Storage of recordings (`audio_url`). */
	readonly shelf: AudioShelf;
	readonly recordings: Recordings;
	/** The clock of recordings. */
	nowSeconds: () => number;
	readonly lane: FakeLane;
	readonly port: number;
	readonly url: string;
	/** With the scope asr. */
	readonly token: string;
	/** Every line logged at debug and above. */
	readonly log: string[];
	checks: HealthCheck[];
	/** Microphones that name word lists. */
	referring: ReferringMicrophone[];
	readonly microphones: FakeMicrophones;
	/** What its operator did. */
	readonly controlled: string[];
	ask(path: string, init?: RequestInit): Promise<Answer>;
	/** `POST /v1/asr/api` with a token and some audio. */
	recognize(query: string, init?: RequestInit): Promise<Answer>;
	/** @param name of its owner; "tester" by default. */
	makeToken(
		scopes: readonly Scope[],
		ttlSeconds?: number,
		name?: string,
	): Promise<string>;
	socket(): Socket;
	/** Number of open streaming sessions in /metrics. */
	sessions(): Promise<number>;
}

/** Services of file transcription. */
export type FileParts = Omit<NonNullable<ApiParts["files"]>, "intake"> &
	Pick<IntakeParts, "probe" | "outbound">;

interface Parent {
	testdir(): string;
	teardown(act: () => Promise<void>): unknown;
}

const languages: readonly Language[] = [
	"en-US",
	"zh-cmn-Hans-CN",
	"ja-JP",
	"ja-JP-en-US",
];

/** @param realLane instead of the fake one. */
export async function startApi(
	t: Parent,
	overrides: Overrides = {},
	realLane?: Lane,
	files?: FileParts,
): Promise<RunningApi> {
	const { values } = loadConfig({ environment: {}, root: t.testdir() });
	const config = {
		...values,
		server: {
			...values.server,
			host: "127.0.0.1",
			port: 0,
			drain_seconds: 0,
			...overrides.server,
		},
		auth: { ...values.auth, ...overrides.auth },
		// nobody is late to start a session because this process waits for a processor
		limits: {
			...values.limits,
			stream_start_seconds: 600,
			...overrides.limits,
		},
		files: { ...values.files, ...overrides.files },
		endpoints: { ...values.endpoints, ...overrides.endpoints },
		calls: { ...values.calls, ...overrides.calls },
		ingress: { ...values.ingress, port: 0, ...overrides.ingress },
	};
	const dir = t.testdir();
	const { lists } = overrides;
	const store = await openStore({ dir, as: "visit", ...(lists && { lists }) });
	const log: string[] = [];
	const logTail = new LogTail();
	const logger = loggerTo(collector(log), "debug", logTail);
	const shelf = await AudioShelf.open(join(dir, "audio"), {
		bytesMax: overrides.audioBytesMax ?? 1e9,
		reserveBytes: 0,
	});
	const recordings = new Recordings({
		rows: store.recordings,
		shelf,
		encoder: openEncoder(),
		links: AudioLinks.open(dir),
		clock: plainClock(() => running.nowSeconds()),
		sealMsMax: overrides.sealMsMax ?? 30_000,
		log: logger,
	});
	const lane = new FakeLane();
	const running = {
		checks: [
			{
				name: "engine",
				ok: true,
				says: "hears",
				code: "engine-ready" as const,
				values: {},
			},
		],
		nowSeconds: () => Date.now() / 1000,
		microphones: new FakeMicrophones(),
		controlled: [] as string[],
		referring: [] as ReferringMicrophone[],
	};
	const words = new WordLists({
		store,
		categories: config.hotwords.categories,
		corrections: correctionLimits(config.limits),
		lane: realLane ?? lane,
		microphones: () => running.referring,
		endpointLists: () => configuredLists(config.endpoints),
		log: logger,
	});
	const intake =
		files &&
		new FileIntake({
			...files,
			wordLists: words.source,
			languages,
			sizes: config.files,
			fetchSecondsMax: config.outbound.file_seconds_max,
		});
	const { callTasks } = overrides;
	const calls =
		callTasks &&
		new Calls({
			lane: words.lane,
			tasks: callTasks,
			silentSeconds: config.calls.silent_seconds,
			returnSeconds: config.calls.return_seconds,
			log: logger,
		});
	const api = new Api({
		config,
		store,
		words,
		bodyShelf: shelf,
		...(files && intake && { files: { ...files, intake } }),
		...(calls && { calls }),
		recordings,
		lane: recordings.recordedLane(words.lane),
		languages,
		models: async () => overrides.models ?? [],
		console: {
			assets: new ConsoleAssets(smallConsole),
			device: () => ({
				name: "tester",
				isSetUp: false,
				version: "1.2.3",
				languages,
				httpsPort: 0,
			}),
		},
		device: fakeDevice({ ...running, logTail }),
		health: { health: () => running.checks },
		clock: overrides.clock ?? plainClock(),
		log: logger,
		version: "1.2.3",
	});
	watchAppliance(api.metrics, {
		lanes: () => [laneStats],
		tasks: () => ({
			tasks: { failed: 0, completed: 0, processing: 0, queued: 0 },
			callbacksWaiting: 0,
			audioSeconds: 0,
		}),
		clock: () => plainClock().trust,
		listeners: () => api.listenerStats,
	});
	const port = await api.start();
	const url = `http://127.0.0.1:${port}`;
	t.teardown(async () => {
		await api.stop();
		await calls?.stop();
		await words.close();
		await recordings.stop();
		await store.close();
		checkNothingLeaked("the log", log);
	});
	const makeToken = async (
		scopes: readonly Scope[],
		ttlSeconds = 86_400, // scripts/fuzz keeps one server for hours
		name = "tester",
	) => {
		const nowSeconds = Date.now() / 1000;
		const request = { name, scopes, nowSeconds, ttlSeconds };
		const made = await store.tokens.create(request);
		knownSecrets.add("a token", made.token);
		return made.token;
	};
	const token = await makeToken(["asr"]);
	const ask = async (path: string, init: RequestInit = {}) =>
		answerOf(await fetch(url + path, init));
	return Object.assign(running, {
		api,
		calls,
		intake,
		store,
		shelf,
		recordings,
		lane,
		port,
		url,
		token,
		log,
		makeToken,
		ask,
		recognize: (query: string, init: RequestInit = {}) =>
			ask(`/v1/asr/api?${query}`, {
				method: "POST",
				body: new Uint8Array(3200),
				...init,
				headers: { Authorization: `Bearer ${token}`, ...init.headers },
			}),
		socket: () => connect(port, "127.0.0.1"),
		sessions: async () => {
			const text = await (await fetch(`${url}/metrics`)).text();
			const counts = text.matchAll(/^earshot_live_sessions\{.*\} (\d+)$/gm);
			return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
		},
	});
}

async function answerOf(response: Response): Promise<Answer> {
	const body = (await response.json()) as Omit<Answer, "http" | "headers">;
	return { ...body, http: response.status, headers: response.headers };
}

function collector(lines: string[]): Writable {
	return new Writable({
		write(chunk, _encoding, done) {
			lines.push(String(chunk));
			done();
		},
	});
}
