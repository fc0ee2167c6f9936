/** Configuration entries of every session, for all libraries. */
export const sessionEntries: Readonly<Record<string, string>> = {
	"session.intra_op.allow_spinning": "1",
	// long enough for the next operator of a run; the default occupies cores that other streams and processes need (docs/benchmarks/log.md)
	"session.intra_op.spin_duration_us": "100",
	// the thread pools of encoder, decoder and VAD would compete for the cores between runs
	"session.force_spinning_stop": "1",
	// a MatMul over denormals costs a hundred times as much
	"session.set_denormal_as_zero": "1",
};
