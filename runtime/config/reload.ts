/**
 * Plans a reload: which keys of a newly read configuration can be applied while the program runs, and which need a restart. It changes nothing: the caller
 * applies the plan.
 */
import { isDeepStrictEqual } from "node:util";
import { type Config, configSections } from "./schema.js";
import type { Sections, ValuesOf } from "./setting.js";

export interface Reload<V = Config> {
	/** In force from now on. */
	readonly values: V;
	/** Keys whose values change now. */
	readonly changed: readonly string[];
	/** Keys whose new values take effect after a restart. */
	readonly needRestart: readonly string[];
}

export function planReload(inForce: Config, wanted: Config): Reload {
	const plan = planSections(configSections, inForce, wanted);
	const { microphone } = inForce;
	return {
		...plan,
		values: { ...plan.values, microphone },
		needRestart: isDeepStrictEqual(microphone, wanted.microphone)
			? plan.needRestart
			: [...plan.needRestart, "microphone"],
	};
}

function planSections<T extends Sections>(
	sections: T,
	inForce: ValuesOf<T>,
	wanted: ValuesOf<T>,
): Reload<ValuesOf<T>> {
	const values: Record<string, Record<string, unknown>> = {};
	const changed: string[] = [];
	const needRestart: string[] = [];
	for (const [section, settings] of Object.entries(sections)) {
		const before = inForce[section] as Record<string, unknown>;
		const after = wanted[section] as Record<string, unknown>;
		const next = { ...before };
		for (const [name, { needsRestart }] of Object.entries(settings)) {
			if (isDeepStrictEqual(before[name], after[name])) continue;
			(needsRestart ? needRestart : changed).push(`${section}.${name}`);
			if (!needsRestart) next[name] = after[name];
		}
		values[section] = next;
	}
	return { values: values as ValuesOf<T>, changed, needRestart };
}
