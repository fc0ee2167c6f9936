/** What a client of a WebSocket writes, byte by byte (RFC 6455): a library would send each message by itself. */

/** @param path with its query. @param headers of the request, besides those of each upgrade. */
export function upgradeTo(
	path: string,
	headers: readonly string[] = [],
): Buffer {
	const lines = [
		`GET ${path} HTTP/1.1`,
		"Host: kiosk:2700",
		"Upgrade: websocket",
		"Connection: Upgrade",
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
		"Sec-WebSocket-Version: 13",
		...headers,
		"\r\n",
	];
	return Buffer.from(lines.join("\r\n"));
}

export const text = (payload: string) => frame(0x81, Buffer.from(payload));
export const binary = (payload: Uint8Array) => frame(0x82, payload);

/** As short as can be, and masked with zeros. @param first byte of the frame. */
export function frame(first: number, payload: Uint8Array): Buffer {
	const { length } = payload;
	const header = Buffer.alloc(length < 126 ? 6 : length < 65_536 ? 8 : 14);
	header[0] = first;
	if (length < 126) header[1] = 0x80 | length;
	else if (length < 65_536) {
		header[1] = 0x80 | 126;
		header.writeUInt16BE(length, 2);
	} else {
		header[1] = 0x80 | 127;
		header.writeBigUInt64BE(BigInt(length), 2);
	}
	return Buffer.concat([header, payload]);
}
