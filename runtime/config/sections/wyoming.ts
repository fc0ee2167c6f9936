import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";
import { listenerSettings } from "./listener.js";

export const wyomingSection = {
	...listenerSettings(
		"Speech to text for Home Assistant and other programs that speak the Wyoming protocol, on a port of its own and without credentials.",
		10_300,
	),
	name: setting(
		Type.String({
			pattern: "^[^\\p{Cc}]{0,63}$",
			"x-expects": "at most 63 characters, none of them a control character",
		}),
		"",
		"Name under which the device is found in the network; Home Assistant remembers it, so it should not change later. Empty: the host name.",
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
