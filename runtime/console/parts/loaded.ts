/** What a page shows of the device: fetched when it opens, and again when the page wants it. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { reasonOf } from "./notice.js";

export interface Loaded<Value> {
	/** Undefined until it is known. */
	readonly value: Value | undefined;
	/** Why it could not be fetched; empty: it could. What was known before stays. */
	readonly wrong: string;
	/** Never throws. */
	reload(): Promise<void>;
}

/** @param subject of `load`: with another one it begins anew, and what still comes of the one before is dropped. */
export function useLoaded<Value>(
	load: () => Promise<Value>,
	subject = "",
): Loaded<Value> {
	const value = useSignal<Value | undefined>(undefined);
	const wrong = useSignal("");
	const shown = useRef(subject);
	shown.current = subject;
	const reload = async () => {
		try {
			const loaded = await load();
			if (shown.current !== subject) return;
			value.value = loaded;
			wrong.value = "";
		} catch (thrown) {
			if (shown.current === subject) wrong.value = reasonOf(thrown);
		}
	};
	useEffect(() => {
		value.value = undefined;
		wrong.value = "";
		void reload();
	}, [subject]);
	return { value: value.value, wrong: wrong.value, reload };
}
