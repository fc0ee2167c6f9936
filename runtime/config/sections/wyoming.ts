import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";
import { listenerSettings } from "./listener.js";

export const wyomingSection = {
	...listenerSettings(
		"Speech to text for Home Assistant and other programs that speak the Wyoming protocol, on a port of its own and without credentials.",
		10_300,
	),
	language: setting(
		Type.String({ minLength: 1 }),
		"auto",
		"Language of requests that name none: `auto` or a value of `lang_type`.",
	),
	endpointing: setting(
		Type.Boolean(),
		false,
		"The device's own voice activity detection ends a command, instead of the one that asks.",
	),
};
