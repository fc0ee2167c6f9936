/** Why there is no microphone, or no live connection. */
import { ApiError, data } from "../../app/api.js";
import { reasonOf } from "../../parts/notice.js";

/** One that has not answered by then may answer once all has been said. */
const answerMsMax = 10_000;

/** Why the browser gave no microphone. */
export function troubleOf(thrown: unknown) {
	const { name, message } = thrown as Error;
	const is =
		name === "NotFoundError"
			? "no-microphone"
			: name === "NotAllowedError" || name === "SecurityError"
				? "refused"
				: "failed";
	return { is, why: String(message) } as const;
}

/** A browser does not say why a socket was refused; the device does, to a plain request. @returns undefined where the device would have taken it, or says nothing */
export async function refusalOfDevice(): Promise<string | undefined> {
	const signal = AbortSignal.timeout(answerMsMax);
	try {
		await data("v1/asr/ws", { signal });
		return undefined;
	} catch (thrown) {
		if (signal.aborted) return undefined;
		const isTaken = thrown instanceof ApiError && thrown.status === "230001";
		return isTaken ? undefined : reasonOf(thrown);
	}
}
