/**
 * Metrics of every endpoint, one set for all: `earshot_endpoint_*{endpoint="openai"}`. What is measured is a request, a session, or a turn of a connection that
 * has several; each endpoint calls `begin` for it and says what happens to it.
 */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** As the endpoint's section or switch in the configuration is called; the first three are the API of docs/interface.md. */
export type EndpointName =
	| "asr"
	| "asr_ws"
	| "asrfile"
	| "openai"
	| "realtime"
	| "whisper_cpp"
	| "wyoming"
	| "vosk"
	| "calls"
	| "audiosocket";

/** A request, session or turn. Every method may be called at any time and more than once; nothing counts after `ended`. */
export interface MeasuredRequest {
	/** The first audio is here: times are measured from now. Not called: from `begin`. @param atMs `performance.now()` of its arrival, where that was before */
	audioBegan(atMs?: number): void;
	/** No more audio comes. @param atMs as above */
	audioEnded(atMs?: number): void;
	/** A part of the text is being sent, however preliminary. */
	text(): void;
	/** The whole text is being sent. */
	final(): void;
	/** Audio that was recognized. */
	audioRecognized(seconds: number): void;
	/** @param status that the client got; "gone": it had disconnected. */
	ended(status: string): void;
}

/** Where metrics of an endpoint are begun: all that most endpoints know of metrics. */
export interface EndpointMetrics {
	begin(endpoint: EndpointName): MeasuredRequest;
}

/** For what belongs to no endpoint. */
export const unmeasured: MeasuredRequest = {
	audioBegan: () => {},
	audioEnded: () => {},
	text: () => {},
	final: () => {},
	audioRecognized: () => {},
	ended: () => {},
};

const bucketsSeconds = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, 30, 60];

export class CountedEndpoints implements EndpointMetrics {
	readonly #shared: Shared;

	constructor(registry: Registry) {
		const labelNames = ["endpoint"] as const;
		const registers = [registry];
		this.#shared = {
			open: new Gauge({
				name: "earshot_endpoint_open",
				help: "Requests, sessions and turns under way, by endpoint.",
				labelNames,
				registers,
			}),
			ended: new Counter({
				name: "earshot_endpoint_requests_total",
				help: "Requests, sessions and turns that ended, by endpoint and by the status sent to the client; gone: it disconnected before.",
				labelNames: ["endpoint", "status"],
				registers,
			}),
			audio: new Counter({
				name: "earshot_endpoint_audio_seconds_total",
				help: "Audio that was recognized there.",
				labelNames,
				registers,
			}),
			firstText: new Histogram({
				name: "earshot_endpoint_first_text_seconds",
				help: "Time from the first audio to the first text sent.",
				labelNames,
				registers,
				buckets: bucketsSeconds,
			}),
			finalText: new Histogram({
				name: "earshot_endpoint_final_seconds",
				help: "Time from the end of the audio to the whole text.",
				labelNames,
				registers,
				buckets: bucketsSeconds,
			}),
		};
	}

	begin(endpoint: EndpointName): MeasuredRequest {
		return new Measurement(this.#shared, endpoint);
	}
}

interface Shared {
	readonly open: Gauge<"endpoint">;
	readonly ended: Counter<"endpoint" | "status">;
	readonly audio: Counter<"endpoint">;
	readonly firstText: Histogram<"endpoint">;
	readonly finalText: Histogram<"endpoint">;
}

class Measurement implements MeasuredRequest {
	readonly #shared: Shared;
	readonly #labels: { readonly endpoint: EndpointName };
	#beganMs = performance.now();
	#endedMs: number | undefined;
	#hasAudio = false;
	#hasText = false;
	#isFinal = false;
	#isOver = false;

	constructor(shared: Shared, endpoint: EndpointName) {
		this.#shared = shared;
		this.#labels = { endpoint };
		shared.open.inc(this.#labels);
	}

	audioBegan(atMs = performance.now()): void {
		if (this.#hasAudio) return;
		this.#hasAudio = true;
		this.#beganMs = atMs;
	}

	audioEnded(atMs = performance.now()): void {
		this.#endedMs = atMs;
	}

	text(): void {
		if (this.#hasText || this.#isOver) return;
		this.#hasText = true;
		this.#shared.firstText.observe(this.#labels, secondsSince(this.#beganMs));
	}

	/** Of a recognition that ended before its audio did, there is no such time. */
	final(): void {
		this.text();
		if (this.#isFinal || this.#isOver) return;
		this.#isFinal = true;
		if (this.#endedMs !== undefined)
			this.#shared.finalText.observe(this.#labels, secondsSince(this.#endedMs));
	}

	audioRecognized(seconds: number): void {
		if (!this.#isOver) this.#shared.audio.inc(this.#labels, seconds);
	}

	ended(status: string): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#shared.open.dec(this.#labels);
		this.#shared.ended.inc({ ...this.#labels, status });
	}
}

function secondsSince(ms: number): number {
	return (performance.now() - ms) / 1000;
}
