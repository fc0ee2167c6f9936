/** What a browser keeps from one visit to the next; nothing secret. Where storage is forbidden or full it lasts as long as the page. */
export interface Remembered<T> {
	get(): T;
	set(value: T): void;
}

/** What could not be stored. */
const lasting = new Map<string, string>();

export function remembered<T>(name: string, usual: T): Remembered<T> {
	const key = `earshot.${name}`;
	return {
		get() {
			try {
				const text = lasting.get(key) ?? localStorage.getItem(key);
				return text ? (JSON.parse(text) as T) : usual;
			} catch {
				return usual;
			}
		},
		set(value) {
			const text = JSON.stringify(value);
			try {
				localStorage.setItem(key, text);
				lasting.delete(key);
			} catch {
				lasting.set(key, text); // forbidden, or full
			}
		},
	};
}
