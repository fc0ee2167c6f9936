import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";
import { listenerSettings } from "./listener.js";

export const audiosocketSection = {
	...listenerSettings(
		"Take the audio of Asterisk's AudioSocket, on a port of its own and without credentials; each UUID is a call.",
		9019,
	),
	language: setting(
		Type.String({ minLength: 1 }),
		"auto",
		"Language of these calls: `auto` or a value of `lang_type`.",
	),
};
