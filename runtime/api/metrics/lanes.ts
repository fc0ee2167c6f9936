/** Metrics of the recognition lanes and their engines. */
import type { Series } from "./metrics.js";

/** Stats of a lane. */
export interface LaneSeriesStats {
	readonly lane: string;
	readonly slots: number;
	readonly busy: number;
	readonly queued: number;
	/** Since the start. */
	readonly refused: number;
	/** Speech without text, by the reason why it was given up. */
	readonly unrecognizedSeconds: ReadonlyMap<string, number>;
	readonly restarts: number;
	readonly deaths: number;
	readonly load:
		| {
				readonly rssBytes: number;
				readonly audioSeconds: number;
				readonly decodeSeconds: number;
				readonly refinementFailures: number;
				readonly languageModels?: readonly {
					readonly name: string;
					readonly state: "open" | "closed" | "failed";
				}[];
		  }
		| undefined;
}

type One = Series<LaneSeriesStats>;

const modelStates = ["open", "closed", "failed"] as const;

const single = (
	kind: One["kind"],
	name: string,
	help: string,
	value: (lane: LaneSeriesStats) => number,
): One => ({
	kind,
	name,
	help,
	labels: ["lane"],
	values: (lane) => [[{ lane: lane.lane }, value(lane)]],
});

export const laneSeries: readonly One[] = [
	single(
		"gauge",
		"lane_slots",
		"Recognitions that can run at once.",
		(it) => it.slots,
	),
	single(
		"gauge",
		"lane_slots_busy",
		"Recognitions under way.",
		(it) => it.busy,
	),
	single(
		"gauge",
		"lane_queue",
		"Requests waiting for a slot.",
		(it) => it.queued,
	),
	single(
		"gauge",
		"engine_resident_memory_bytes",
		"Resident memory of the engine.",
		(it) => it.load?.rssBytes ?? 0,
	),
	single(
		"counter",
		"lane_refused_total",
		"Requests refused because no slot was free.",
		(it) => it.refused,
	),
	single(
		"counter",
		"engine_restarts_total",
		"Engines started after the first.",
		(it) => it.restarts,
	),
	single(
		"counter",
		"engine_deaths_total",
		"Engines that died without being asked to.",
		(it) => it.deaths,
	),
	single(
		"counter",
		"engine_audio_seconds_total",
		"Audio decoded by the engine now running.",
		(it) => it.load?.audioSeconds ?? 0,
	),
	single(
		"counter",
		"engine_decode_seconds_total",
		"Time it spent decoding.",
		(it) => it.load?.decodeSeconds ?? 0,
	),
	single(
		"counter",
		"engine_refinement_failures_total",
		"Segments for which its second ear failed, so that the recognizer's own text stood.",
		(it) => it.load?.refinementFailures ?? 0,
	),
	{
		kind: "gauge",
		name: "engine_language_model",
		help: "Models for single languages: 1 for the state that each is in (open, closed, failed).",
		labels: ["lane", "model", "state"],
		values: ({ lane, load }) =>
			(load?.languageModels ?? []).flatMap(({ name: model, state: its }) =>
				modelStates.map(
					(state) => [{ lane, model, state }, state === its ? 1 : 0] as const,
				),
			),
	},
	{
		kind: "counter",
		name: "speech_unheard_seconds_total",
		help: "Speech that voice activity is sure of and that has no text, by the reason why it was given up.",
		labels: ["why"],
		values: ({ unrecognizedSeconds }) =>
			[...unrecognizedSeconds].map(
				([why, seconds]) => [{ why }, seconds] as const,
			),
	},
];
