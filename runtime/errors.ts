/**
 * The one table of coded errors (docs/interface.md section 7): the errors that clients get, over HTTP and WebSocket alike.
 * A bug asserts; every other failure is a row here. `wsClose`: 1008 the client's fault, 1011 ours, 1013 retry later.
 */
import { constants } from "node:os";

type Row = {
	readonly message: string;
	readonly http: number;
	readonly wsClose: number;
	readonly retryable: boolean;
};

function row(
	http: number,
	message: string,
	wsClose = 1008,
	retryable = false,
): Row {
	return { message, http, wsClose, retryable };
}

export const errorTable = {
	"100001": row(404, "unknown path"),
	"100002": row(405, "method not allowed on this path"),
	"100003": row(500, "internal error", 1011, true),
	"100004": row(503, "at capacity, try again later", 1013, true),
	"100005": row(429, "rate limit of this token passed", 1013, true),
	"100006": row(504, "the result was not ready in time"),
	"110001": row(401, "Authorization header must be: Bearer <token>"),
	"110002": row(401, "token is unknown, revoked or expired"),
	"110003": row(403, "token lacks the scope"),
	"200001": row(400, "a required parameter is missing"),
	"200002": row(400, "a parameter has the wrong type or is out of range"),
	"200003": row(400, "body is not valid"),
	"200004": row(413, "body is larger than its limit"),
	"200005": row(400, "audio is longer than its limit"),
	"200006": row(415, "audio format is unknown or can't be decoded"),
	"200007": row(400, "audio is empty"),
	"200008": row(400, "lang_type is not supported by the installed models"),
	"200009": row(400, "file_url can't be fetched"),
	"210400": row(400, "hotword database request is malformed"),
	"210404": row(404, "hotword database does not exist"),
	"210409": row(409, "hotword database exists already"),
	"210423": row(409, "hotword database is in use"),
	"211400": row(400, "correction vocabulary request is malformed"),
	"211404": row(404, "correction vocabulary does not exist"),
	"211409": row(409, "correction vocabulary exists already"),
	"211423": row(409, "correction vocabulary is in use"),
	"212400": row(400, "forbidden-word list request is malformed"),
	"212404": row(404, "forbidden-word list does not exist"),
	"212409": row(409, "forbidden-word list exists already"),
	"212423": row(409, "forbidden-word list is in use"),
	"220404": row(404, "task_id does not exist"),
	"220500": row(200, "task failed"),
	"230001": row(400, "protocol error"),
	"230002": row(
		408,
		"no StartRecognition, no audio or too little of a body in time",
	),
	"230003": row(400, "duration passed"),
	"230004": row(500, "engine failed while recognising", 1011, true),
} as const satisfies Record<string, Row>;

export type StatusCode = keyof typeof errorTable;

export const successStatus = "000000";

export interface CodedErrorOptions {
	readonly cause?: unknown;
	readonly retryAfterSeconds?: number;
	readonly param?: string;
	readonly code?: string;
	readonly retry?: "never";
}

/** An error for the client. `message` names the parameter and the reason, and says what to do. */
export class CodedError extends Error {
	readonly status: StatusCode;
	/** Seconds for `Retry-After`, where a retry makes sense. */
	readonly retryAfterSeconds: number | undefined;
	/** The parameter that is wrong or missing, where it is one. */
	readonly param: string | undefined;
	/** A finer reason than the status, for protocols that name reasons. */
	readonly code: string | undefined;
	/** `never`: where a protocol can say so, its clients do not repeat the request by themselves: it would fail again, or begin long work again. */
	readonly retry: "never" | undefined;

	constructor(
		status: StatusCode,
		message?: string,
		options?: CodedErrorOptions,
	) {
		super(message ?? errorTable[status].message, { cause: options?.cause });
		this.name = "CodedError";
		this.status = status;
		this.retryAfterSeconds = options?.retryAfterSeconds;
		this.param = options?.param;
		this.code = options?.code;
		this.retry = options?.retry;
	}

	get http(): number {
		return errorTable[this.status].http;
	}

	get wsClose(): number {
		return errorTable[this.status].wsClose;
	}
}

export function serverStopping(): CodedError {
	return new CodedError("100004", "the server is stopping, try again later", {
		retryAfterSeconds: 5,
	});
}

/** As the client of a recognition gets it: an engine that failed in the middle of its work has a code of its own. */
export function duringRecognition(error: CodedError): CodedError {
	return error.status === "100003" ? new CodedError("230004") : error;
}

/** In seconds; open files may have been closed by then. */
const shortageRetryAfterSeconds = 5;
/** More than the number of causes that are nested here. */
const causesMax = 5;

/**
 * Converts anything thrown to a coded error: other errors are our fault (100003) and keep their cause for the log. If the cause is that nothing more can be
 * opened or started at the moment, it is 100004, however it is wrapped.
 */
export function asCodedError(thrown: unknown): CodedError {
	if (thrown instanceof CodedError && thrown.cause === undefined) return thrown;
	if (isShortage(thrown))
		return new CodedError(
			"100004",
			"at capacity, try again later: too many files and connections are open",
			{ cause: thrown, retryAfterSeconds: shortageRetryAfterSeconds },
		);
	if (thrown instanceof CodedError) return thrown;
	return new CodedError("100003", undefined, { cause: thrown });
}

const shortages = [constants.errno.EMFILE, constants.errno.ENFILE];

/** Descriptors of this process (EMFILE) or of the machine (ENFILE), or processes, are used up. */
function isShortage(thrown: unknown): boolean {
	let error = thrown;
	for (let depth = 0; depth < causesMax && error instanceof Error; depth++) {
		const { code, errno = 0, syscall } = error as NodeJS.ErrnoException;
		if (code === "EMFILE" || code === "ENFILE") return true;
		// os.networkInterfaces() gives the number without its name
		if (shortages.includes(Math.abs(errno))) return true;
		if (code === "EAGAIN" && syscall?.startsWith("spawn")) return true;
		error = error.cause;
	}
	return false;
}
