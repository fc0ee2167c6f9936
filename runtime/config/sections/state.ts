import { Type } from "@sinclair/typebox";
import { defaultStateDir, installRoot } from "../install-root.js";
import { setting } from "../setting.js";

export const stateSection = {
	dir: setting(
		Type.String({ minLength: 1 }),
		defaultStateDir(installRoot),
		"Where tokens, applications and results are kept; made with mode 0700.",
		{
			path: true,
			defaultText: "./var in a checkout, /var/lib/earshot when installed",
		},
	),
};
