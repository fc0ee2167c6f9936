import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";
import { listenerSettings } from "./listener.js";

export const voskSection = {
	...listenerSettings(
		"A WebSocket for programs that were written for Vosk's server, on a port of its own and without credentials.",
		2700,
	),
	language: setting(
		Type.String({ minLength: 1 }),
		"auto",
		"Language of all its speech, which the protocol can't name: `auto` or a value of `lang_type`.",
	),
};
