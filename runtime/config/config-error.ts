/** The configuration can't be used. The message names the key, its source, what was expected and what to do; the stack is not shown. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
}

/** A file of the configuration that this user may not read. */
export class DeniedConfigError extends ConfigError {}
