/** An update that can't be made, or was taken back. The message is one sentence for whoever asked for it. */
export class UpdateError extends Error {
	override readonly name = "UpdateError";
}
