/**
 * Frame headers of the two audio streams without a magic number: MPEG audio (ISO 11172-3, 13818-3) and AAC in ADTS (ISO 13818-7).
 */
export interface FrameHeader {
	/** Including the header. */
	readonly frameBytes: number;
	/** Fields that all frames of a file share, for comparison only. */
	readonly kind: number;
}

/** [MPEG 1 | MPEG 2 and 2.5][layer II | layer III][index], kbit/s; index 0 (free) and 15 are refused. */
const mpegKbps = [
	[
		[0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
		[0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	],
	[
		[0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
		[0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
	],
] as const;
const mpeg1RatesHz = [44_100, 48_000, 32_000] as const;

/** @param offset at least 4 bytes before the end. */
export function readMpegHeader(
	bytes: Uint8Array,
	offset: number,
): FrameHeader | undefined {
	const b1 = bytes[offset + 1] as number;
	const b2 = bytes[offset + 2] as number;
	if (bytes[offset] !== 0xff || (b1 & 0xe0) !== 0xe0) return undefined;
	const version = (b1 >> 3) & 3; // 0: 2.5, 2: 2, 3: 1
	const layer = (b1 >> 1) & 3; // 1: III, 2: II, 3: I
	const rateHz = mpeg1RatesHz[(b2 >> 2) & 3];
	if (version === 1 || layer === 0 || layer === 3 || !rateHz) return undefined;
	const isMpeg1 = version === 3;
	const kbps = mpegKbps[isMpeg1 ? 0 : 1][layer === 2 ? 0 : 1][b2 >> 4];
	if (!kbps) return undefined;
	const realRateHz = isMpeg1 ? rateHz : version === 2 ? rateHz / 2 : rateHz / 4;
	const samples = layer === 1 && !isMpeg1 ? 576 : 1152;
	const padding = (b2 >> 1) & 1;
	return {
		frameBytes:
			Math.floor((samples / 8) * ((kbps * 1000) / realRateHz)) + padding,
		kind: ((b1 & 0x1e) << 8) | (b2 & 0x0c),
	};
}

/** @param offset at least 7 bytes before the end. */
export function readAdtsHeader(
	bytes: Uint8Array,
	offset: number,
): FrameHeader | undefined {
	const b1 = bytes[offset + 1] as number;
	const b2 = bytes[offset + 2] as number;
	const b3 = bytes[offset + 3] as number;
	// 12 bits of sync, then the layer, always 0
	if (bytes[offset] !== 0xff || (b1 & 0xf6) !== 0xf0) return undefined;
	const rateIndex = (b2 >> 2) & 15;
	const headerBytes = b1 & 1 ? 7 : 9;
	const frameBytes =
		((b3 & 3) << 11) |
		((bytes[offset + 4] as number) << 3) |
		((bytes[offset + 5] as number) >> 5);
	if (rateIndex > 12 || frameBytes <= headerBytes) return undefined;
	return { frameBytes, kind: ((b1 & 0x09) << 8) | (b2 & 0xfc) };
}
