/** The client in a browser: the same interface as in Node, without any dependency. */
import { openBrowserSocket } from "./browser-socket.js";
import { type ClientOptions, StreamClient } from "./stream-client.js";

export * from "./public.js";

/** One session of streaming recognition. */
export class EarshotClient extends StreamClient {
	constructor(options: ClientOptions) {
		super(options, openBrowserSocket);
	}
}
