/** A model does not match its package, or its outputs are unusable: its engine must not be used for recognition. */
export class ModelFault extends Error {
	override readonly name = "ModelFault";
}
