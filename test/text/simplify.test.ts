import t from "tap";
import {
	simplify,
	simplifyCharacters,
} from "../../runtime/text/zh/simplify.js";

t.test("traditional characters become simplified ones, by phrase", (t) => {
	t.equal(simplify("廣州市房地產中介協會分析"), "广州市房地产中介协会分析");
	t.equal(simplify("乾燥的頭髮"), "干燥的头发");
	t.equal(simplify("乾隆皇帝"), "乾隆皇帝");
	t.equal(simplify("享受著涼爽的秋風"), "享受着凉爽的秋风");
	t.equal(simplify("著名的著作"), "著名的著作");
	t.end();
});

t.test("simplified text, Latin and digits stay", (t) => {
	const text = "他们在2017年用WiFi，OK？";
	t.equal(simplify(text), text);
	t.end();
});

t.test("every character has its own result", (t) => {
	const characters = [..."聯合國，還希望𠮷最終"];
	t.same(simplifyCharacters(characters), [..."联合国，还希望𠮷最终"]);
	t.end();
});
