/**
 * What the engine room asks of a logger; pino's is one. Fields never hold transcripts, audio or tokens.
 */
type Write = (fields: object, message: string) => void;

export interface EngineLog {
	readonly debug: Write;
	readonly info: Write;
	readonly warn: Write;
	readonly error: Write;
}
