/** A promise with its resolve and reject functions; a rejection that nobody awaits is not reported as unhandled. */
export interface Deferred<Value> {
	readonly promise: Promise<Value>;
	readonly resolve: (value: Value) => void;
	readonly reject: (error: unknown) => void;
}

export function deferred<Value>(): Deferred<Value> {
	let resolve!: (value: Value) => void;
	let reject!: (error: unknown) => void;
	const promise = new Promise<Value>((fulfil, refuse) => {
		resolve = fulfil;
		reject = refuse;
	});
	promise.catch(() => {});
	return { promise, resolve, reject };
}
