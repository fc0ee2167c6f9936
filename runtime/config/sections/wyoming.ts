import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";
import { listenerSettings } from "./listener.js";

export const wyomingSection = {
	...listenerSettings(
		"Speech to text for Home Assistant and other programs that speak the Wyoming protocol, on a port of its own and without credentials.",
		10_300,
	),
	name: setting(
		Type.String({ maxLength: 60 }),
		"",
		"Name under which it is announced on the local network, and known to Home Assistant from then on; empty: the host name.",
	),
	announce: setting(
		Type.Boolean(),
		true,
		"Announce it by multicast DNS as _wyoming._tcp.local, so that Home Assistant finds it.",
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
