/** Callers waiting for an engine to be ready: up to a maximum time, or until they abort. */
import { Deferred } from "../event-loop/deferred.js";
import type { EngineProcess } from "./engine-process.js";

export class EngineWaiters {
	readonly #waiters = new Set<Deferred<EngineProcess>>();

	/** @param refusal creates the error for a timeout. @throws the signal's reason when aborted; the reason given to `rejectAll` */
	async wait(
		msMax: number,
		refusal: () => Error,
		signal: AbortSignal | undefined,
	): Promise<EngineProcess> {
		signal?.throwIfAborted();
		const waiter = new Deferred<EngineProcess>();
		const onAbort = () => waiter.reject(signal?.reason);
		const timer = setTimeout(() => waiter.reject(refusal()), msMax);
		this.#waiters.add(waiter);
		signal?.addEventListener("abort", onAbort, { once: true });
		try {
			return await waiter.promise;
		} finally {
			clearTimeout(timer);
			this.#waiters.delete(waiter);
			signal?.removeEventListener("abort", onAbort);
		}
	}

	resolveAll(engine: EngineProcess): void {
		for (const waiter of this.#waiters) waiter.resolve(engine);
	}

	rejectAll(reason: Error): void {
		for (const waiter of this.#waiters) waiter.reject(reason);
	}
}
