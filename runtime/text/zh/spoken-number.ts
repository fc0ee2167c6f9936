/**
 * Numbers in Chinese words: 105 一百零五, 2200 两千两百, 12 十二, 3.14 三点一四; or digit by digit.
 */
const digitNames = "零一二三四五六七八九";
const placeNames = ["", "十", "百", "千"];
const sectionNames = ["", "万", "亿", "万亿"];
/** More digits than these are read one by one. */
const placesMax = 16;

/** @param digits ASCII. */
export function verbalizeDigits(digits: string): string {
	return [...digits].map((it) => digitNames[Number(it)] ?? "点").join("");
}

/** @param number ASCII digits, possibly with a decimal part. */
export function verbalizeNumber(number: string): string {
	const [whole = "", fraction] = number.split(".");
	const spoken = verbalizeCardinal(whole || "0"); // .5
	return fraction === undefined
		? spoken
		: `${spoken}点${verbalizeDigits(fraction)}`;
}

function verbalizeCardinal(digits: string): string {
	const plain = digits.replace(/^0+(?=\d)/, "");
	if (plain.length > placesMax) return verbalizeDigits(plain);
	if (plain === "0") return "零";
	let spoken = "";
	let zeroOwed = false; // several empty places are read as one 零, before what follows
	for (let end = plain.length % 4 || 4, start = 0; start < plain.length; ) {
		const section = plain.slice(start, end);
		const name = sectionNames[(plain.length - end) / 4] as string;
		if (Number(section) === 0) zeroOwed = spoken !== "";
		else {
			const gap = zeroOwed || (spoken !== "" && section.startsWith("0"));
			spoken += (gap ? "零" : "") + verbalizeSection(section, name) + name;
			zeroOwed = false;
		}
		start = end;
		end += 4;
	}
	return spoken.replace(/^一十/, "十");
}

/** @param name of the section: a 2 before it is 两. */
function verbalizeSection(section: string, name: string): string {
	const digits = [...section.replace(/^0+/, "")].map(Number);
	if (digits.length === 1 && digits[0] === 2 && name !== "") return "两";
	let spoken = "";
	let gap = false;
	digits.forEach((digit, i) => {
		const place = digits.length - 1 - i;
		if (digit === 0) {
			gap = true;
			return;
		}
		if (gap) spoken += "零";
		gap = false;
		spoken += digit === 2 && place >= 2 ? "两" : digitNames[digit];
		spoken += placeNames[place];
	});
	return spoken;
}
