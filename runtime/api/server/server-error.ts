/** The server can't be started: the message is a sentence for people that says what to do. */
export class ServerError extends Error {
	override readonly name = "ServerError";
}
