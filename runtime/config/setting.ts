/**
 * One configuration key, declared once: its type, default, doc line and environment name are defined here, and the docs table, `config/earshot.toml` and every
 * error message are generated from it.
 */
import type { Static, TSchema } from "@sinclair/typebox";

export interface Setting<S extends TSchema = TSchema> {
	readonly schema: S;
	readonly default: Static<S>;
	/** One line for people: its effect, unit, meaning of 0. */
	readonly doc: string;
	/** How the docs write a default that depends on the installation. */
	readonly defaultText?: string;
	/** Shown as stars by `config show`. */
	readonly secret?: boolean;
	/** A path: a relative one in a file is relative to the checkout, otherwise to the working directory. */
	readonly path?: boolean;
	/** In a repeatable section: the key must be set. */
	readonly required?: boolean;
	/** True: only read at start. Other keys are applied by a reload (reload.ts), so their users read them each time. */
	readonly needsRestart: boolean;
}

type Extras = Partial<
	Pick<Setting, "defaultText" | "secret" | "path" | "required" | "needsRestart">
>;

export function setting<S extends TSchema>(
	schema: S,
	defaultValue: Static<S>,
	doc: string,
	extras: Extras = {},
): Setting<S> {
	return { schema, default: defaultValue, doc, needsRestart: true, ...extras };
}

export type Section = Readonly<Record<string, Setting>>;
export type Sections = Readonly<Record<string, Section>>;

/** The values of a set of sections: `values.server.port`. */
export type ValuesOf<T extends Sections> = {
	readonly [S in keyof T]: {
		readonly [K in keyof T[S]]: T[S][K] extends Setting<infer V>
			? Static<V>
			: never;
	};
};

/** `server.port` is `EARSHOT_SERVER_PORT` in the environment. */
export function environmentName(key: string): string {
	return `EARSHOT_${key.replace(".", "_").toUpperCase()}`;
}
