/**
 * What can go wrong between a client and an appliance. `status` is the service's own six digits where it said any, and "" where it could not.
 */
export class EarshotError extends Error {
	override readonly name: string = "EarshotError";
	readonly status: string;

	constructor(status: string, message: string, options?: { cause?: unknown }) {
		super(message, options);
		this.status = status;
	}
}

/** The connection was not let in: no or a bad token, a path that is none, a proxy in between. */
export class RefusedError extends EarshotError {
	override readonly name = "RefusedError";
	/** HTTP status of the refusal. */
	readonly http: number;

	constructor(http: number, status: string, message: string) {
		super(status, message);
		this.http = http;
	}
}

/** The service ended the session with TaskFailed: an option out of its range, at capacity, the engine died, ... */
export class TaskFailedError extends EarshotError {
	override readonly name = "TaskFailedError";
	readonly taskId: string;

	constructor(status: string, message: string, taskId: string) {
		super(status, message);
		this.taskId = taskId;
	}

	/** The same request may do later: at capacity, rate limit, or an engine that is being replaced. */
	get retryable(): boolean {
		return ["100003", "100004", "100005", "230004"].includes(this.status);
	}
}

/** The connection ended, or went silent, or brought something that is no message, before the result was there. */
export class ConnectionLostError extends EarshotError {
	override readonly name = "ConnectionLostError";
	/** Close code of the socket; 1006 where it just broke. */
	readonly closeCode: number;

	constructor(
		closeCode: number,
		message: string,
		options?: { cause?: unknown },
	) {
		super("", message, options);
		this.closeCode = closeCode;
	}
}
