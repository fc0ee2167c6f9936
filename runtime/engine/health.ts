/**
 * A lane's health in words: ready only after its engine transcribed a real clip correctly, and not while it keeps dying. A hung engine is killed by its
 * supervisor's ping deadline, so `ready` is never older than that.
 */
import type { ProcessorChoice } from "../models/inference-port.js";
import type { LanguageModelState } from "./protocol.js";
import type { SupervisorState } from "./supervisor-state.js";

export type EngineHealthCode =
	| "engine-ready"
	| "engine-starting"
	| "engine-on-demand"
	| "engine-not-started"
	| "engine-dying"
	| "engine-stopped";

export interface EngineHealthValues {
	/** Of the last death. */
	readonly reason?: string;
	/** To the next start. */
	readonly seconds?: number;
	/** Which processors and models serve, where that is not the plain case. */
	readonly details?: string[];
}

type Described = Pick<EngineHealth, "says" | "code" | "values">;

export interface EngineHealth {
	readonly ok: boolean;
	readonly lane: string;
	/** One sentence for people. */
	readonly says: string;
	/** The same for programs, and what differs from case to case. */
	readonly code: EngineHealthCode;
	readonly values: EngineHealthValues;
	readonly model?: string;
	readonly restarts: number;
	readonly lastDeath?: string;
}

export function engineHealth(state: SupervisorState): EngineHealth {
	const { lane, restarts, lastDeath, identity } = state;
	return {
		ok: isOk(state),
		lane,
		...describe(state),
		...(identity && { model: identity.model }),
		restarts,
		...(lastDeath !== undefined && { lastDeath }),
	};
}

function isOk(state: SupervisorState): boolean {
	if (state.phase === "ready") return true;
	return (
		state.onDemand && (state.phase === "down" || state.phase === "starting")
	);
}

function describe(state: SupervisorState): Described {
	switch (state.phase) {
		case "ready": {
			const details = [
				...(state.identity?.processors ?? []).flatMap(describeChoice),
				...languageModelsOf(state).map(describeModel),
			];
			return {
				says: ["recognized its probe clip correctly", ...details].join("; "),
				code: "engine-ready",
				values: details.length > 0 ? { details } : {},
			};
		}
		case "starting":
			return plain("engine-starting", "the engine is starting");
		case "down":
			return state.onDemand
				? plain("engine-on-demand", "starts when it is needed")
				: plain("engine-not-started", "the engine was not started");
		case "backing-off": {
			const seconds = Math.ceil(state.backOffMs / 1000);
			const { lastDeath } = state;
			return {
				says: `the engine keeps dying (${lastDeath}); next try in ${seconds} s`,
				code: "engine-dying",
				values: {
					seconds,
					...(lastDeath !== undefined && { reason: lastDeath }),
				},
			};
		}
		case "stopped":
			return plain("engine-stopped", "the engine was stopped");
	}
}

function plain(code: EngineHealthCode, says: string): Described {
	return { code, says, values: {} };
}

/** As of the last answer of the engine, since models are closed and opened. */
export function languageModelsOf({
	identity,
	load,
}: SupervisorState): readonly LanguageModelState[] {
	return load?.languageModels ?? identity?.languageModels ?? [];
}

function describeModel(model: LanguageModelState): string {
	const { name, languages, state, why } = model;
	const where = `${languages.join(", ")}: ${name}`;
	if (state === "failed")
		return `${where} failed (${why}), so the main model serves it`;
	return state === "open" ? where : `${where}, not loaded now`;
}

/** Empty if only the CPU was requested. */
export function describeChoice({
	graph,
	used,
	refused,
}: ProcessorChoice): string[] {
	if (used === "cpu" && refused.length === 0) return [];
	const whyNot = refused.map(({ processor, why }) => `${processor}: ${why}`);
	return [[`${graph} runs on ${used}`, ...whyNot].join(", not on ")];
}
