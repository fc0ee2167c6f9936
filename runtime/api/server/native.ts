/** Loads uWebSockets.js: a native library, chosen by Node's ABI, that may not run on this machine. */
import type { TemplatedApp } from "uWebSockets.js";
import { createRequire } from "node:module";
import { UnpackError } from "../../executable/unpack-error.js";
import { currentPlatform, nativeAdvice } from "./native-advice.js";
import { ServerError } from "./server-error.js";

export type Native = typeof import("uWebSockets.js");

/** The native parser's limit; beyond it the parser answers a bare 431. Read when the library is loaded. */
const nativeHeaderBytesMax = 131_072;

/** Of TLS 1.2; without it the library accepts CBC, and RSA key exchange, by which a stolen key reads what was recorded before. TLS 1.3 has its own. */
const ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

/** @param files absent: plain HTTP. @throws ServerError naming the files that are of no use. */
export function nativeApp(
	native: Native,
	files?: { readonly key: string; readonly certificate: string },
): TemplatedApp {
	if (!files) return native.App();
	try {
		return native.SSLApp({
			key_file_name: files.key,
			cert_file_name: files.certificate,
			ssl_ciphers: ciphers,
		});
	} catch (cause) {
		throw new ServerError(
			`can't use the certificate in ${files.certificate} with the key in ${files.key}: both must be PEM files, and the key that of the certificate`,
			{ cause },
		);
	}
}

/** @throws ServerError when the native library does not load on this machine. */
export function loadNative(): Native {
	process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(nativeHeaderBytesMax);
	try {
		return createRequire(import.meta.url)("uWebSockets.js") as Native;
	} catch (cause) {
		if (cause instanceof UnpackError) throw cause; // its message already says what to do
		const advice = nativeAdvice(currentPlatform(), (cause as Error).message);
		throw new ServerError(advice, { cause });
	}
}
