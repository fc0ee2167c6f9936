/** What both entries of the client export beside `EarshotClient`. */
export * from "./client-error.js";
export type {
	Namespace,
	Result,
	ResultWord,
	StartOptions,
} from "./messages.js";
export type { ClientOptions, Completed } from "./stream-client.js";
