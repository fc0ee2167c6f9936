/** `POST /v1/audio/transcriptions` of an API, or another path for the same form, and what it answers. */
export function transcribe(
	{ url, token }: { readonly url: string; readonly token: string },
	audio: Uint8Array,
	fields: Readonly<Record<string, string>>,
	signal: AbortSignal | null = null,
	path = "/v1/audio/transcriptions",
): Promise<Response> {
	const body = new FormData();
	body.set("file", new Blob([audio]), "a.wav");
	for (const [name, text] of Object.entries(fields)) body.set(name, text);
	const headers = { Authorization: `Bearer ${token}` };
	return fetch(url + path, { method: "POST", body, headers, signal });
}
