/** `POST /v1/engines/{lane}/restart` and `POST /v1/config/reload`: what an operator does to a device that runs. */
import { type Static, Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { success } from "../envelope.js";
import type { Route } from "../router.js";

export interface DeviceControl {
	/** Work that it has begun is given to the new one. One that is starting, or rests, is left as it is. */
	restartEngine(lane: "live" | "batch"): void;
	/** Reads the configuration again. @throws CodedError 200002: nothing has changed then */
	reload(): {
		readonly changed: readonly string[];
		readonly needRestart: readonly string[];
	};
}

const keys = Type.Array(Type.String({ description: "section.name" }));

const reloaded = Type.Object({
	changed: keys,
	need_restart: keys,
});
export type Reloaded = Static<typeof reloaded>;

export function controlRoutes(control: DeviceControl): readonly Route[] {
	return [
		{
			method: "POST",
			path: "/v1/engines/:lane/restart",
			access: "admin",
			description: {
				summary: "Restart the engine of a lane: live or batch",
				answer: Type.Null(),
				errors: ["200002"],
			},
			handle: async ({ params: { lane } }) => {
				if (lane !== "live" && lane !== "batch")
					throw new CodedError("200002", "lane must be live or batch");
				control.restartEngine(lane);
				return success(null);
			},
		},
		{
			method: "POST",
			path: "/v1/config/reload",
			access: "admin",
			description: {
				summary: "Read the configuration again, as with SIGHUP",
				answer: reloaded,
				errors: ["200002"],
			},
			handle: async () => {
				const { changed, needRestart } = control.reload();
				return success({
					changed: [...changed],
					need_restart: [...needRestart],
				});
			},
		},
	];
}
