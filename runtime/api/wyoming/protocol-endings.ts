/** How a Wyoming turn ends (protocol.ts): answered, failed, or with its connection. Pure. */
import { CodedError, duringRecognition } from "../../errors.js";
import type { Effect, Open, State, Step, Turn } from "./protocol-states.js";
import { errorFrame } from "./sent-effects.js";

export type WithTurn = Extract<State, { turn: Turn }>;

const over: State = { is: "over" };

/** The turn was answered before its `audio-stop`, or after it. */
export function afterTurn(state: WithTurn, effects: readonly Effect[]): Step {
	return {
		state:
			state.is === "finishing"
				? { is: "idle", request: state.next }
				: { is: "answered", next: state.next },
		effects: [{ do: "await-nothing" }, ...effects],
	};
}

export function fail(state: WithTurn, error: CodedError): Step {
	const reported = duringRecognition(error);
	return afterTurn(state, [
		{ do: "cancel" },
		errorFrame(reported),
		note(reported.status),
	]);
}

export function leave(
	state: Open,
	status: string,
	reported?: CodedError,
): Step {
	return {
		state: over,
		effects: [
			{ do: "await-nothing" },
			{ do: "cancel" },
			...(reported ? [errorFrame(reported)] : []),
			...(hasTurn(state) ? [note(status)] : []),
			{ do: "close" },
		],
	};
}

export function hasTurn(state: State): state is WithTurn {
	return state.is === "recognizing" || state.is === "finishing";
}

export function note(status: string, audioMs = 0): Effect {
	return { do: "note", status, audioMs };
}

export function tooQuiet(): CodedError {
	return new CodedError(
		"230002",
		"no audio, or less than a hundredth of real time, came for 10 seconds",
	);
}
