/** What one check of the doctor found. */
export interface Finding {
	/** What was looked at. */
	readonly about: string;
	/** `broken`: something that the program promises does not work. `warning`: it works, but will hurt. */
	readonly state: "ok" | "warning" | "broken";
	readonly says: string;
	/** What to do; absent when nothing. */
	readonly todo?: string;
}

export type Check = () => Promise<Finding | Finding[]>;

export function ok(about: string, says: string): Finding {
	return { about, state: "ok", says };
}

export function warning(about: string, says: string, todo: string): Finding {
	return { about, state: "warning", says, todo };
}

export function broken(about: string, says: string, todo: string): Finding {
	return { about, state: "broken", says, todo };
}
