/** Errors between a client and an appliance. `status` is the service's six digits if it sent any, else "". */
export class EarshotError extends Error {
	override readonly name: string = "EarshotError";
	readonly status: string;

	constructor(status: string, message: string, options?: { cause?: unknown }) {
		super(message, options);
		this.status = status;
	}
}

/** The connection was refused: no token or a bad one, an unknown path, a proxy in between. */
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

	/** Whether a retry of the same request may succeed: at capacity, rate limit, or an engine that is being replaced. */
	get retryable(): boolean {
		return ["100003", "100004", "100005", "230004"].includes(this.status);
	}
}

/** The connection ended, went silent, or carried an invalid message before the result had arrived. */
export class ConnectionLostError extends EarshotError {
	override readonly name = "ConnectionLostError";
	/** Close code of the socket; 1006 if it broke without one. */
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
