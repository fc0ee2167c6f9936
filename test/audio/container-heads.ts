/** First bytes that identify a container; later bytes are ignored. */
export const containerHeads: readonly (readonly [
	container: string,
	head: Uint8Array,
])[] = [
	["opus", oggHead("OpusHead")],
	["flac", Buffer.from("fLaC\x00\x00\x00\x22", "latin1")],
	["mp3", Buffer.from("ID3\x04\x00\x00\x00\x00\x10\x00", "latin1")],
	["mp3", frames(Buffer.from([0xff, 0xfb, 0x90, 0x64]), 417)],
	["aac", frames(Buffer.from([0xff, 0xf1, 0x60, 0x40, 0x14, 0x1f, 0xfc]), 160)],
	["amr", Buffer.from("#!AMR\n")],
	["amr", Buffer.from("#!AMR-WB\n")],
	["mp4", Buffer.from("\0\0\0\x18ftypM4A ", "latin1")],
];

export function oggHead(codec: string): Uint8Array {
	const page = Buffer.alloc(27 + 1 + 19);
	page.write("OggS\0", "latin1");
	page[26] = 1;
	page.write(codec, 28, "latin1");
	return page;
}

/** Four frames with this header. */
function frames(header: Buffer, frameBytes: number): Uint8Array {
	const frame = Buffer.alloc(frameBytes);
	header.copy(frame);
	return Buffer.concat([frame, frame, frame, frame]);
}
