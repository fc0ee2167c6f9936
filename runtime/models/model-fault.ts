/** A model that is not what its package says, or computes nothing of use: its engine can't be trusted with speech. */
export class ModelFault extends Error {
	override readonly name = "ModelFault";
}
