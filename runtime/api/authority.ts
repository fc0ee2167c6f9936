/** The certificate of the device's own authority, for clients to trust: public, and served without a token, over plain HTTP too. */
import type { X509Certificate } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { CodedError } from "../errors.js";
import { mobileConfigOf } from "../tls/mobile-config.js";
import type { ApiResponse } from "./exchange.js";
import type { Route } from "./router.js";

/** @param authority undefined where there is none: HTTPS is off, or uses the operator's certificate */
export function authorityRoutes(
	authority: () => X509Certificate | undefined,
): readonly Route[] {
	const found = () => {
		const certificate = authority();
		if (!certificate)
			throw new CodedError(
				"100001",
				"this device has no certificate authority of its own (tls.port, tls.cert_file)",
			);
		return certificate;
	};
	return [
		{
			method: "GET",
			path: "/ca.crt",
			access: "open",
			description: {
				summary: "The certificate of the device's own authority, in PEM",
				answer: Type.String(),
				answerType: "application/x-x509-ca-cert",
				errors: ["100001"],
			},
			handle: async () =>
				download("application/x-x509-ca-cert", "earshot-ca.crt", `${found()}`),
		},
		{
			method: "GET",
			path: "/ca.mobileconfig",
			access: "open",
			description: {
				summary: "The same as a profile for iOS and macOS",
				answer: Type.String(),
				answerType: "application/x-apple-aspen-config",
				errors: ["100001"],
			},
			handle: async () =>
				download(
					"application/x-apple-aspen-config",
					"earshot.mobileconfig",
					mobileConfigOf(found()),
				),
		},
	];
}

function download(type: string, name: string, body: string): ApiResponse {
	return {
		http: 200,
		headers: {
			"Content-Type": type,
			"Content-Disposition": `attachment; filename="${name}"`,
			"Cache-Control": "no-store",
		},
		body,
	};
}
