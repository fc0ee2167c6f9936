/** What most of the code needs of a logger; pino's fits. Fields never hold transcripts, audio or tokens. */
type Write = (fields: object, message: string) => void;

export interface LogPort {
	readonly debug: Write;
	readonly info: Write;
	readonly warn: Write;
	readonly error: Write;
}
