/** Configuration entries of every session, whoever's library computes it. */
export const sessionEntries: Readonly<Record<string, string>> = {
	"session.intra_op.allow_spinning": "1",
	// long enough for the next operator of a run; its default takes the cores from other streams and other processes (docs/benchmarks/log.md)
	"session.intra_op.spin_duration_us": "100",
	// the pools of encoder, decoder and VAD would fight for the cores between runs
	"session.force_spinning_stop": "1",
	// a MatMul over denormals costs a hundred times as much
	"session.set_denormal_as_zero": "1",
};
