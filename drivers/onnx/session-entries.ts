/** Configuration entries of every session, whoever's library computes it. */
export const sessionEntries: Readonly<Record<string, string>> = {
	"session.intra_op.allow_spinning": "1",
	// the pools of encoder, decoder and VAD would fight for the cores between runs
	"session.force_spinning_stop": "1",
	// a MatMul over denormals costs a hundred times as much
	"session.set_denormal_as_zero": "1",
};
