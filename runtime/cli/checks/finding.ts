/** The result of one check of the doctor. */
export interface Finding {
	/** The object of the check. */
	readonly about: string;
	/** `broken`: a feature of the program does not work. `warning`: it works, but may cause trouble. */
	readonly state: "ok" | "warning" | "broken";
	readonly says: string;
	/** What to do, if anything. */
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
