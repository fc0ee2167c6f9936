/** Separators of hotwords in one field, with those that Chinese and Japanese are typed with: U+3001 and U+FF0C. */
const separators = /[,\u3001\uff0c\n]/;

/** @returns each once, as typed. */
export function hotwordsOf(text: string): string[] {
	const words = text.split(separators).map((it) => it.trim());
	return [...new Set(words)].filter(Boolean);
}
