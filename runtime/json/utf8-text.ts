/** Texts of queries and forms, whose bytes a parser has already decoded. */
import { CodedError } from "../errors.js";

/**
 * Bytes that are not UTF-8 (a form that a console in GBK sent) were replaced by this character: a hotword made of it would match nothing, and nobody would know.
 *
 * @throws CodedError 200003
 */
export function checkUtf8(name: string, texts: readonly string[]): void {
	if (texts.some((it) => it.includes("\uFFFD")))
		throw new CodedError("200003", `${name} must be text in UTF-8`, {
			param: name,
		});
}
