/**
 * A source that stops waiting when nobody wants its bytes any more, even while its client says nothing.
 */
export async function* abortable(
	bytes: AsyncIterable<Uint8Array>,
	signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, void> {
	const source = bytes[Symbol.asyncIterator]();
	let abort = () => {};
	const aborted = new Promise<never>((_, reject) => {
		abort = () => reject(signal?.reason);
	});
	aborted.catch(() => {}); // it may come when nobody waits
	signal?.addEventListener("abort", abort);
	try {
		for (;;) {
			signal?.throwIfAborted();
			const next = await Promise.race([source.next(), aborted]);
			if (next.done) return;
			yield next.value;
		}
	} finally {
		signal?.removeEventListener("abort", abort);
		// not awaited: it queues behind a read that may never be answered
		source.return?.().catch(() => {});
	}
}
