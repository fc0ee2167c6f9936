/** What an entry of a hotword database says (service-interface.md 2.2). */
export interface Hotword {
	readonly writing: string;
	/** Hiragana or full-width katakana. */
	readonly reading?: string;
	readonly category?: string;
}

/** @param entry that passed the rules: `writing`, or `writing,reading,category`. */
export function parseHotword(entry: string): Hotword {
	const [writing = "", reading, category] = entry
		.split(",")
		.map((it) => it.trim());
	return {
		writing,
		...(reading === undefined ? {} : { reading }),
		...(category === undefined ? {} : { category }),
	};
}
