/** What a session needs of a WebSocket, whether Node's package `ws` or a browser has it. */
import { EarshotError } from "./client-error.js";

export interface SocketEvents {
	onOpen(): void;
	onText(text: string): void;
	/** Binary data, which the service never sends. */
	onNoText(): void;
	/** Refused, broken or ended, for whatever reason. May be called more than once. */
	onLost(error: EarshotError): void;
}

export interface ClientSocket {
	/** @param left called when these bytes have left this machine. */
	send(data: string | Uint8Array, left?: () => void): void;
	/** Ends it properly, waiting a little for the service to do the same. */
	close(): void;
	/** Ends it at once. */
	terminate(): void;
}

/** @throws EarshotError if the address or the token is not valid. */
export type OpenSocket = (
	url: string,
	token: string | undefined,
	events: SocketEvents,
) => ClientSocket;

/** @param url of the appliance, or one that ends in `/ws`. @throws EarshotError if it is not valid. */
export function streamAddress(url: string): URL {
	const address = URL.canParse(url) ? new URL(url) : undefined;
	if (!address || !/^(http|ws)s?:$/.test(address.protocol))
		throw new EarshotError(
			"",
			`${url} is not an address such as http://127.0.0.1:7100`,
		);
	address.protocol = address.protocol.replace("http", "ws");
	if (!address.pathname.endsWith("/ws"))
		address.pathname = `${address.pathname.replace(/\/$/, "")}/v1/asr/ws`;
	return address;
}

/** @throws EarshotError if the characters of the token can't be sent; it is not quoted: it may still be a secret. */
export function checkToken(token: string, allowed: RegExp): void {
	if (!allowed.test(token))
		throw new EarshotError(
			"",
			"the token contains characters that are not allowed in a token",
		);
}

export function endedWith(code: number, reason: string): string {
	const why = reason === "" ? "" : ` (${reason})`;
	return `the connection ended with ${code}${why}, without a result`;
}
