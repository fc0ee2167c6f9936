import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const consoleSection = {
	enabled: setting(
		Type.Boolean(),
		true,
		"Serve the console, the device's page for browsers, at /console/.",
	),
};
