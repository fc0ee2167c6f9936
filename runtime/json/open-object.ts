/** An object whose names and values are being read, one after the other. There are many, most of them small: none is more than a record. */
import { arrayIndexOf, ElementStore } from "./element-store.js";

export interface OpenObject {
	readonly object: Record<string, unknown>;
	/** So far; one that comes again counts again. */
	names: number;
	/** Of the next value. */
	name: string;
	/** Undefined as long as no name is an array index. */
	elements: ElementStore | undefined;
}

export function emptyObject(): OpenObject {
	return { object: {}, names: 0, name: "", elements: undefined };
}

/** @returns for how many elements more V8 will make room (element-store.ts). */
export function takeName(open: OpenObject, name: string): number {
	open.names++;
	open.name = name;
	const index = arrayIndexOf(name);
	if (index === undefined || Object.hasOwn(open.object, name)) return 0;
	open.elements ??= new ElementStore();
	return open.elements.add(index);
}

/** Sets an own property, whatever its name. */
export function takeValue({ object, name }: OpenObject, value: unknown): void {
	if (name !== "__proto__") object[name] = value;
	else
		Object.defineProperty(object, name, {
			value,
			enumerable: true,
			configurable: true,
			writable: true,
		});
}
