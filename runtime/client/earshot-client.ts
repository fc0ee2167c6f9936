/** The client in Node; its only dependency is `ws`. In a browser: browser.ts. */
import { openNodeSocket } from "./node-socket.js";
import { type ClientOptions, StreamClient } from "./stream-client.js";

export * from "./public.js";

/** One session of streaming recognition. */
export class EarshotClient extends StreamClient {
	constructor(options: ClientOptions) {
		super(options, openNodeSocket);
	}
}
