/**
 * The logger interface of the engine code; pino's logger fits. Fields never hold transcripts, audio or tokens.
 */
type Write = (fields: object, message: string) => void;

export interface EngineLog {
	readonly debug: Write;
	readonly info: Write;
	readonly warn: Write;
	readonly error: Write;
}
