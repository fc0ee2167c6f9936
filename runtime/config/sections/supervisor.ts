/** Home Assistant's Supervisor, which starts add-ons. Not that of engines. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const supervisorSection = {
	discovery: setting(
		Type.Boolean(),
		false,
		"Tell Home Assistant's Supervisor where Wyoming is, so that Home Assistant offers to set it up. Only for the add-on, and while wyoming.enabled.",
	),
	url: setting(
		Type.String({ pattern: "^https?://[^/?#\\s]+$" }),
		"http://supervisor",
		"Where the Supervisor is.",
	),
	token: setting(
		Type.String({ maxLength: 512 }),
		"",
		"The Supervisor's token; empty: the environment variable SUPERVISOR_TOKEN, which it sets.",
		{ secret: true },
	),
	host: setting(
		Type.String({ pattern: "^[A-Za-z0-9._:-]{0,253}$" }),
		"",
		"Name or address under which Home Assistant reaches Wyoming; empty: the host name, which the Supervisor gives to the add-on.",
	),
};
