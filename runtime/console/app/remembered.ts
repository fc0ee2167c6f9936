/** What a browser keeps from one visit to the next; nothing secret. Where storage is forbidden it lasts as long as the page. */
export interface Remembered<T> {
	get(): T;
	set(value: T): void;
}

const lasting = new Map<string, string>();

export function remembered<T>(name: string, usual: T): Remembered<T> {
	const key = `earshot.${name}`;
	return {
		get() {
			try {
				const text = localStorage.getItem(key) ?? lasting.get(key);
				return text ? (JSON.parse(text) as T) : usual;
			} catch {
				return usual;
			}
		},
		set(value) {
			const text = JSON.stringify(value);
			lasting.set(key, text);
			try {
				localStorage.setItem(key, text);
			} catch {} // private windows
		},
	};
}
