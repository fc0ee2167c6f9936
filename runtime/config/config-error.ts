/** The configuration can't be used. The message names the key, its source, what was expected and what to do; the stack is not shown. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
}
