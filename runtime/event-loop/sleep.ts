/** A pause that a signal ends early: whoever sleeps looks at the signal itself. Leaves no listener behind, since the signal may outlive thousands of pauses. */
export function sleepUnlessAborted(
	ms: number,
	signal: AbortSignal,
): Promise<void> {
	return new Promise((resolve) => {
		const done = () => {
			clearTimeout(timer);
			signal.removeEventListener("abort", done);
			resolve();
		};
		const timer = setTimeout(done, signal.aborted ? 0 : ms);
		signal.addEventListener("abort", done);
	});
}
