/** Audio that is stored for a caller, and its link. */
import type { RunningApi } from "../api/running-api.js";

/** A tone, 16-bit samples. */
export function tone(seconds: number, rateHz = 16_000): Buffer {
	const samples = new Int16Array(Math.round(seconds * rateHz));
	samples.forEach((_, i) => {
		samples[i] = 8000 * Math.sin((2 * Math.PI * 440 * i) / rateHz);
	});
	return Buffer.from(samples.buffer);
}

/** The link of audio that was sent for recognition. */
export async function storedUrl(
	api: RunningApi,
	query: string,
	body: Uint8Array,
): Promise<string> {
	const answer = await api.recognize(`lang_type=en&${query}`, { body });
	const { audio_url: url } = answer.data as { audio_url?: string };
	if (url === undefined) throw new Error(JSON.stringify(answer.data));
	return url;
}

export async function bytesOf(response: Response): Promise<Buffer> {
	return Buffer.from(await response.arrayBuffer());
}
