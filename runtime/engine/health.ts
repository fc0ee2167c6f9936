/**
 * A lane's health in words: ready only after its engine transcribed a real clip correctly, and not while it keeps dying. A hung engine is killed by its
 * supervisor's ping deadline, so `ready` is never older than that.
 */
import type { ProcessorChoice } from "../models/inference-port.js";
import type { LanguageModelState } from "./protocol.js";
import type { SupervisorState } from "./supervisor-state.js";

export interface EngineHealth {
	readonly ok: boolean;
	readonly lane: string;
	/** One sentence for people. */
	readonly says: string;
	readonly model?: string;
	readonly restarts: number;
	readonly lastDeath?: string;
}

export function engineHealth(state: SupervisorState): EngineHealth {
	const { lane, restarts, lastDeath, identity } = state;
	return {
		ok: isOk(state),
		lane,
		says: describe(state),
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

function describe(state: SupervisorState): string {
	switch (state.phase) {
		case "ready":
			return [
				"recognized its probe clip correctly",
				...(state.identity?.processors ?? []).flatMap(describeChoice),
				...languageModelsOf(state).map(describeModel),
			].join("; ");
		case "starting":
			return "the engine is starting";
		case "down":
			return state.onDemand
				? "starts when it is needed"
				: "the engine was not started";
		case "backing-off":
			return `the engine keeps dying (${state.lastDeath}); next try in ${Math.ceil(state.backOffMs / 1000)} s`;
		case "stopped":
			return "the engine was stopped";
	}
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
