/** 16-bit mono samples as a WAV file. */

const headBytes = 44;

export function wavOf(
	frames: readonly Int16Array[],
	sampleRateHz: number,
): Blob {
	const dataBytes = frames.reduce((sum, it) => sum + it.byteLength, 0);
	const head = new DataView(new ArrayBuffer(headBytes));
	const text = (at: number, word: string) => {
		for (let i = 0; i < word.length; i++)
			head.setUint8(at + i, word.charCodeAt(i));
	};
	text(0, "RIFF");
	head.setUint32(4, headBytes - 8 + dataBytes, true);
	text(8, "WAVEfmt ");
	head.setUint32(16, 16, true);
	head.setUint16(20, 1, true);
	head.setUint16(22, 1, true);
	head.setUint32(24, sampleRateHz, true);
	head.setUint32(28, sampleRateHz * 2, true);
	head.setUint16(32, 2, true);
	head.setUint16(34, 16, true);
	text(36, "data");
	head.setUint32(40, dataBytes, true);
	return new Blob([head.buffer, ...(frames as Int16Array<ArrayBuffer>[])], {
		type: "audio/wav",
	});
}
