/** Streams a body into a recognition and returns its result. */
import type { SessionEvent } from "../session/events.js";
import type { Recognition } from "../session/lane-port.js";
import type { KeptBody } from "./kept-body.js";

export type Completed = Extract<SessionEvent, { is: "completed" }>;

/** How long a recognition that has consumed all available audio waits for more. */
const starvedMsMax = 5_000;

/**
 * The recognition is cancelled on every error.
 * @param onEvent called as they come.
 * @returns undefined where the body has stalled: nothing of it is lost, and its slot is free.
 * @throws as the body or the recognition does
 */
export async function pipeToRecognition(
	body: Pick<KeptBody, "read">,
	recognition: Recognition,
	signal: AbortSignal,
	onEvent: (event: SessionEvent) => void = () => {},
): Promise<Completed | undefined> {
	const cancel = () => recognition.cancel();
	signal.addEventListener("abort", cancel, { once: true });
	const over = lastEvent(recognition, onEvent);
	over.catch(() => {}); // awaited below, perhaps only after the pump has failed
	try {
		// a recognition may end before its audio does: too long, unreadable
		const first = await Promise.race([pump(body, recognition, over), over]);
		if (first !== "starved") return await over;
		cancel();
		return undefined;
	} catch (thrown) {
		cancel();
		throw thrown;
	} finally {
		signal.removeEventListener("abort", cancel);
	}
}

async function pump(
	body: Pick<KeptBody, "read">,
	recognition: Recognition,
	over: Promise<unknown>,
): Promise<"finished" | "starved"> {
	let drained: (() => void) | undefined;
	recognition.onDrain(() => drained?.());
	const ended = over.then(() => "ended" as const);
	const chunks = body.read();
	try {
		for (;;) {
			const coming = within(chunks.next(), starvedMsMax);
			const next = await Promise.race([coming, ended]);
			if (next === "late") return "starved";
			if (next === "ended") return "finished";
			if (next.done) break;
			const room = new Promise<void>((resolve) => {
				drained = resolve;
			});
			if (!recognition.write(next.value)) await Promise.race([room, ended]);
		}
		recognition.finish();
		return "finished";
	} finally {
		// not awaited: it may be waiting for bytes that never come
		chunks.return(undefined).catch(() => {});
	}
}

async function within<T>(coming: Promise<T>, msMax: number) {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<"late">((resolve) => {
		timer = setTimeout(() => resolve("late"), msMax);
		timer.unref();
	});
	try {
		return await Promise.race([coming, late]);
	} finally {
		clearTimeout(timer);
	}
}

async function lastEvent(
	recognition: Recognition,
	onEvent: (event: SessionEvent) => void,
): Promise<Completed> {
	let completed: Completed | undefined;
	for await (const event of recognition.events) {
		onEvent(event);
		if (event.is === "completed") completed = event;
	}
	if (!completed) throw new Error("the recognition ended without a result");
	return completed;
}
