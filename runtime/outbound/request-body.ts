/** Sends the body of an outbound request, as fast as its connection takes it. */
import type { ClientRequest } from "node:http";

const closedByReceiver: ReadonlySet<string | undefined> = new Set([
	"ECONNRESET",
	"EPIPE",
]);

export async function pour(
	body: AsyncIterable<Uint8Array | string>,
	client: ClientRequest,
): Promise<void> {
	try {
		await hasSocket(client); // `drained` waits for it
		for await (const piece of body) {
			if (client.destroyed) return;
			if (!client.write(piece)) await drained(client);
		}
		client.end();
	} catch (thrown) {
		client.destroy(thrown as Error);
	}
}

function hasSocket(client: ClientRequest): Promise<void> {
	return new Promise((resolve) => {
		if (client.socket) resolve();
		client.once("socket", () => resolve());
		client.once("close", resolve);
	});
}

function drained(client: ClientRequest): Promise<void> {
	// once the answer is complete, Node no longer passes the socket's event on
	const { socket } = client;
	return new Promise((resolve) => {
		const settle = () => {
			client.off("drain", settle);
			client.off("close", settle);
			socket?.off("drain", settle);
			resolve();
		};
		client.on("drain", settle);
		client.on("close", settle);
		socket?.on("drain", settle);
	});
}

/**
 * Resolves when the kernel has all of the body: a receiver may accept it before it has read it. Also where the receiver closes the connection: it has what it
 * wants. @throws what ended the request here
 */
export function bodySent(client: ClientRequest): Promise<void> {
	return new Promise((resolve, reject) => {
		if (client.writableFinished || client.destroyed) {
			resolve();
			return;
		}
		client.once("finish", resolve);
		client.once("close", resolve);
		client.once("error", (error: NodeJS.ErrnoException) => {
			if (closedByReceiver.has(error.code)) resolve();
			else reject(error);
		});
	});
}
