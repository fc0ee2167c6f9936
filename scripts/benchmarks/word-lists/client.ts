/** The client of `scripts/bench word-lists`, in a thread of its own: what it does itself must not count as the server's. One request after the other. */
import { parentPort } from "node:worker_threads";

export interface Request {
	readonly method: string;
	readonly url: string;
	readonly token: string;
	/** JSON as it is sent. */
	readonly body?: string;
}

export interface Reply {
	readonly status: string;
	readonly message: string;
	readonly milliseconds: number;
}

parentPort?.on("message", async ({ method, url, token, body }: Request) => {
	const since = performance.now();
	const response = await fetch(url, {
		method,
		headers: { Authorization: `Bearer ${token}` },
		...(body !== undefined && { body }),
	});
	const bytes = await response.arrayBuffer();
	const milliseconds = performance.now() - since;
	const { status, message } = JSON.parse(new TextDecoder().decode(bytes)) as {
		status: string;
		message: string;
	};
	const reply: Reply = { status, message, milliseconds };
	parentPort?.postMessage(reply);
});
