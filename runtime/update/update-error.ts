/** An update that is not possible, or was rolled back. The message is one sentence for the user. */
export class UpdateError extends Error {
	override readonly name = "UpdateError";
}
