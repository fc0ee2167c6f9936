/** Who is signed in, on which device. */
import { computed, signal } from "@preact/signals";
import type { ConsoleSession } from "../../api/console/sessions.js";
import { ask, data, whenSignedOut } from "./api.js";

const path = "v1/console/session";
/** A check without an answer is given up after this. */
const checkMsMax = 10_000;
/** Of a pairing code, whatever stands between them. */
const codeLetters = 8;

/** Undefined until the device has answered. */
export const session = signal<ConsoleSession | undefined>(undefined);

export const isIn = computed(
	() =>
		session.value !== undefined &&
		(session.value.signed_in || !session.value.required),
);

export function may(scope: string): boolean {
	const { value } = session;
	if (!value) return false;
	if (!value.required) return true;
	return value.scopes.includes(scope) || value.scopes.includes("admin");
}

/** Nobody has signed out: its time was over, or somebody revoked it. */
export const hasEnded = signal(false);

/** Begins the key of what is kept of a visitor's work: nobody else who signs in sees it. */
export function ofVisitor(): string {
	return `${session.value?.name ?? ""}\n`;
}

whenSignedOut(end);

function end(): void {
	if (!session.value) return;
	if (session.value.signed_in) hasEnded.value = true;
	session.value = { ...session.value, signed_in: false };
}

/** @throws ApiError */
export async function loadSession(): Promise<void> {
	session.value = await data<ConsoleSession>(path);
}

let checking: Promise<void> | undefined;

/**
 * A session that is over is noticed by the next request: this is one for what goes on without any, over a connection that is open. One at a time, since a browser
 * opens few connections to a device, which may be too busy to answer.
 */
export function checkSession(): Promise<void> {
	checking ??= check().finally(() => {
		checking = undefined;
	});
	return checking;
}

async function check(): Promise<void> {
	const before = session.peek();
	if (!before?.signed_in) return;
	const signal = AbortSignal.timeout(checkMsMax);
	const now = await data<ConsoleSession>(path, { signal }).catch(
		() => undefined,
	);
	if (now?.signed_in === false && session.peek() === before) end();
}

/** @param typed a pairing code, or a token. @throws ApiError */
export async function signIn(typed: string): Promise<void> {
	// input methods of Chinese and Japanese type letters of full width
	const text = typed.normalize("NFKC").trim();
	const isCode =
		text.replace(/[^0-9A-Za-z]/g, "").length === codeLetters ||
		/[^\x20-\x7e]/.test(text); // what no browser sends in a header
	const token = isCode ? await tokenFor(text) : text;
	session.value = await data<ConsoleSession>(path, {
		method: "POST",
		headers: { Authorization: `Bearer ${token}` },
	});
	hasEnded.value = false;
}

/** @throws ApiError if the device was not reached: the session goes on. */
export async function signOut(): Promise<void> {
	await ask(path, { method: "DELETE" });
	hasEnded.value = false; // a request of the page may have been refused meanwhile
	// whether or not the device can say what holds now
	if (session.value) session.value = { ...session.value, signed_in: false };
	await loadSession().catch(() => {});
}

async function tokenFor(code: string): Promise<string> {
	const made = await data<{ readonly token: string }>("v1/console/pair", {
		method: "POST",
		json: { code },
	});
	return made.token;
}
