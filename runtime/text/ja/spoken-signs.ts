/** What stands before a Japanese number in digits and is spoken with it: plus, minus, a currency, the point of .5. */
import { isLeadingPoint } from "../number-signs.js";

const currencies: Readonly<Record<string, string>> = {
	"¥": "円",
	"￥": "円",
	$: "ドル",
	"＄": "ドル",
	"€": "ユーロ",
	"£": "ポンド",
};

export function signBefore(text: string, at: number, notBefore: number) {
	const point = isLeadingPoint(text, at) ? 1 : 0;
	const none = { length: point, prefix: "", suffix: "" };
	const before = text[at - point - 1] ?? "";
	if (at - point <= notBefore) return none;
	const currency = currencies[before];
	const length = currency === undefined ? point : point + 1;
	const prefix = at - length > notBefore ? plusOrMinus(text, at - length) : "";
	return {
		length: prefix ? length + 1 : length,
		prefix,
		suffix: currency ?? "",
	};
}

/** @param at where a number or its currency begins. */
function plusOrMinus(text: string, at: number): string {
	const sign = text[at - 1] ?? "";
	if (!/^[-−+＋]$/.test(sign) || /[0-9A-Za-z-]/.test(text[at - 2] ?? ""))
		return "";
	return /[+＋]/.test(sign) ? "プラス" : "マイナス";
}
