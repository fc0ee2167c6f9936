/** First bytes that identify a container; later bytes are ignored. */
export const containerHeads: readonly (readonly [
	container: string,
	head: Uint8Array,
])[] = [
	["ogg", oggHead("OpusHead")],
	["ogg", oggHead("\x01vorbis")],
	["webm", webmHead("webm")],
	["flac", Buffer.from("fLaC\x00\x00\x00\x22", "latin1")],
	["mp3", Buffer.from("ID3\x04\x00\x00\x00\x04\x00\x00", "latin1")],
	["mp3", frames(Buffer.from([0xff, 0xfb, 0x90, 0x64]), 417)],
	["aac", frames(Buffer.from([0xff, 0xf1, 0x60, 0x40, 0x14, 0x1f, 0xfc]), 160)],
	["flac", tagged(Buffer.from("fLaC\x00\x00\x00\x22", "latin1"))],
	[
		"aac",
		tagged(
			frames(Buffer.from([0xff, 0xf1, 0x60, 0x40, 0x14, 0x1f, 0xfc]), 160),
		),
	],
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

/** The header element, as libwebm writes it: its document type comes last but two. */
export function webmHead(docType: string): Uint8Array {
	const type = Buffer.from(docType, "latin1");
	const fields = Buffer.concat([
		Buffer.from("428681014286810142f2810442f38108", "hex"),
		Buffer.from([0x42, 0x82, 0x80 | type.length]),
		type,
		Buffer.from("4287810442858102", "hex"),
	]);
	return Buffer.concat([
		Buffer.from("1a45dfa301000000000000", "hex"),
		Buffer.from([fields.length]),
		fields,
		Buffer.from("1853806701ffffffffffffff", "hex"), // a segment of unknown size
	]);
}

/** After two ID3 tags, as segments of HLS and files of some taggers are. */
function tagged(head: Uint8Array): Uint8Array {
	const tag = Buffer.alloc(10 + 200);
	tag.write("ID3\x04", "latin1");
	tag[8] = 1; // 128
	tag[9] = 200 - 128;
	return Buffer.concat([tag, tag, head]);
}

/** Four frames with this header. */
function frames(header: Buffer, frameBytes: number): Uint8Array {
	const frame = Buffer.alloc(frameBytes);
	header.copy(frame);
	return Buffer.concat([frame, frame, frame, frame]);
}
