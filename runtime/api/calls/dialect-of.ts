/** The first text frame of a connection decides whose protocol it speaks; audio before any text comes from a program that was given nothing to say. */
import { AsteriskDialect } from "./asterisk.js";
import type { Dialect } from "./dialect.js";
import { JambonzDialect } from "./jambonz.js";
import { MediaForkDialect } from "./media-fork.js";
import type { TextFrame } from "./text-object.js";
import { TwilioDialect } from "./twilio.js";

/** @param first text frame; undefined: audio came before any. */
export function dialectOf(first: TextFrame | undefined): Dialect {
	if (first === undefined) return new MediaForkDialect();
	if (AsteriskDialect.isMine(first)) return new AsteriskDialect();
	const message = first.object;
	if (message?.type === "start") return new JambonzDialect();
	if (message?.event === "connected" || message?.event === "start")
		return new TwilioDialect();
	return new MediaForkDialect();
}
