/** A promise settled from outside: Node 20 has no `Promise.withResolvers`. */
export class Deferred<T> {
	readonly promise: Promise<T>;
	resolve!: (value: T) => void;
	reject!: (reason: unknown) => void;

	constructor() {
		this.promise = new Promise((resolve, reject) => {
			this.resolve = resolve;
			this.reject = reject;
		});
		this.promise.catch(() => {}); // a rejection without a listener must not crash the process
	}
}
