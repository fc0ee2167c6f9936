/** The first text frame of a connection decides whose protocol it speaks; audio before any text comes from a program that was given nothing to say. */
import { AsteriskDialect } from "./asterisk.js";
import type { Dialect } from "./dialect.js";
import { JambonzDialect } from "./jambonz.js";
import { MediaForkDialect } from "./media-fork.js";
import { objectOf } from "./text-object.js";
import { TwilioDialect } from "./twilio.js";

/** @param text of the first text frame; undefined: audio came first. */
export function dialectOf(text: string | undefined): Dialect {
	if (text === undefined) return new MediaForkDialect();
	if (AsteriskDialect.isMine(text)) return new AsteriskDialect();
	const message = objectOf(text);
	if (message?.type === "start") return new JambonzDialect();
	if (message?.event === "connected" || message?.event === "start")
		return new TwilioDialect();
	return new MediaForkDialect();
}
