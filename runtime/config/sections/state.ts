import { Type } from "@sinclair/typebox";
import { defaultStateDir, installRoot } from "../install-root.js";
import { setting } from "../setting.js";

export const stateSection = {
	dir: setting(
		Type.String({ minLength: 1 }),
		defaultStateDir(installRoot),
		"Where all state is kept: tokens, applications, word lists, tasks and transcripts, recordings, messages still to be sent. Created with mode 0700.",
		{
			path: true,
			defaultText: "./var in a checkout, /var/lib/earshot when installed",
		},
	),
};
