/** What this side sends over a WebSocket: frames of one message each, not masked (RFC 6455, section 5). */
import { fittingReason } from "../close-reason.js";

const last = 0x80;

export function textFrame(text: string): Uint8Array {
	return frameOf(1, Buffer.from(text));
}

/** @param bytes of the ping that it answers. */
export function pongFrame(bytes: Uint8Array): Uint8Array {
	return frameOf(10, bytes);
}

/** @param reason truncated where it is too long. */
export function closeFrame(code: number, reason = ""): Uint8Array {
	const head = Buffer.alloc(2);
	head.writeUInt16BE(code);
	return frameOf(8, Buffer.concat([head, Buffer.from(fittingReason(reason))]));
}

function frameOf(opcode: number, payload: Uint8Array): Uint8Array {
	return Buffer.concat([headerOf(opcode, payload.length), payload]);
}

function headerOf(opcode: number, bytes: number): Buffer {
	if (bytes < 126) return Buffer.of(last | opcode, bytes);
	const isShort = bytes < 65_536;
	const header = Buffer.alloc(isShort ? 4 : 10);
	header[0] = last | opcode;
	header[1] = isShort ? 126 : 127;
	if (isShort) header.writeUInt16BE(bytes, 2);
	else header.writeBigUInt64BE(BigInt(bytes), 2);
	return header;
}
