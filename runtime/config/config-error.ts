/** The configuration can't be used. The message names the key, where it stands, what was expected and what to do; no stack is worth showing. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
}
