/**
 * One configuration key, declared once: its type, default, doc line and environment name come from here, and the docs table,
 * `config/earshot.toml` and every error message are made from it.
 */
import type { Static, TSchema } from "@sinclair/typebox";

export interface Setting<S extends TSchema = TSchema> {
	readonly schema: S;
	readonly default: Static<S>;
	/** One line for people: what it does, unit, what 0 means. */
	readonly doc: string;
	/** Where the default depends on the installation: how the docs write it. */
	readonly defaultText?: string;
	/** Shown as stars by `config show`. */
	readonly secret?: boolean;
	/** A path: a relative one is taken from the checkout in a file, from the working directory otherwise. */
	readonly path?: boolean;
	/** Of a section that may be there several times: each must say it. */
	readonly required?: boolean;
	/** Only read at start; the others a reload takes over (reload.ts), and whoever uses one reads it where it is used. */
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
