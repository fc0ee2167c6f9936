/**
 * Words, idioms and names whose numeral is never written in digits. Only those are listed that the number rules would convert:
 * a lone numeral (三里屯, 四川, 一起, 万一) is left as it is anyway.
 */

import type { Span } from "../language-rules.js";
import { Phrases } from "../phrases.js";
import { isNumeral } from "./numerals.js";

const idioms = `
三天两头 三天打鱼 两天晒网 三年五载 三年两载 三番五次 三番两次 两次三番 三步并作两步 三步并两步 三位一体 三句话不离本行 三句不离本行 三分钟热度 三分天下
三分像人 七分像鬼 入木三分 七分熟 五分熟 八分饱 七八分 三头六臂 三杯鸡 三杯两盏 三人行 三人成虎 四人帮 二人转 二人世界 两人世界 三部曲 四部曲 三级跳 三把火 两把刷子 三板斧
三件套 两回事 两码事 三条腿 两条腿走路 两只脚 四两拨千斤 半斤八两 三下五除二 四舍五入 一五一十 十有八九 十之八九 八九不离十 九牛一毛 九死一生 三十而立 四十不惑
五十知天命 五十而知天命 六十耳顺 六十花甲 七十古来稀 三十年河东 三十年河西 十年树木 百年树人 十年磨一剑 十年寒窗 十年如一日 十月怀胎 十万火急 十万八千里 十万个为什么 五十步笑百步
三十六计 三十六行 七十二行 三百六十行 七十二变 七十二家房客 二十四孝 二十八宿 二十四史 十三经 十三陵 十三太保 十三姨 十八罗汉 十八般武艺 十八层地狱 女大十八变 一百单八将 九九八十一难 九九八十一
三七二十一 二百五 一千零一夜 三千弱水 弱水三千 八千里路 三个和尚 三个臭皮匠 三个诸葛亮 三个代表 四个全面 四个自信 四个意识 两个维护 四个现代化 五年计划 五年规划 十四五 十三五 十五五
三三两两 三三五五 七七八八 五五开 三七开 四六开 二八年华 三五成群 三三制 四三三 九一八 一二九 九一一 七七事变 八一三 三一五 双十一 双十二 五一 六一 十一国庆 十一长假 十一黄金周 十一假期 十一期间
百分百 百分点 百分制 十全十美 十字路口 十字架 十足 十恶不赦 十指连心 十面埋伏 十里洋场 十里长街 十里河 十里堡 十堰 百里挑一 万里长城 万里长征 千里之外 万一 万万 千万别 千万不 千万要 万无一失 千篇一律 千方百计 千家万户 千千万万 万众一心
一元论 一元复始 一元二次 二元一次 一米阳光 一元化 一分为二 一分耕耘 一分收获 一分一秒 一秒一分 一角 三元桥 三元里 三元区 四元桥 五元桥 五台山 三家村 三包政策 三包期 三包服务 
四平八稳 四平市 三门峡 八股文  三股势力 一千零一 九段线 六级考试 一日三餐 一日千里 一日游 一日之计 一日不见 百日维新 百日宴 三日月 七日谈 十日谈 五日京兆 三层楼 千层饼 九层塔
三套车 四套班子 三间房 五间楼 三座大山 八件套 八座桥 三家店 五棵松 三棵树  三座门 九棵树 六座塔 七座城 五块石 四块玉 三条路 四条屏 三片叶 二道桥 三合板 三张嘴 六张犁 九张机
 五颜六色 六月雪 五月天 七月流火 四月天 三月街 八月未央 九月九 三月三 七月七 六月六 五月五 腊八 正月十五 正月初 大年三十 年三十 
四级考试 英语四级 英语六级 四六级  三十六策 十来 百十来 一百八十度大转弯 十月革命 三轮车 二万五千里长征 两万五千里长征 降龙十八掌 路易十三 路易十四 路易十五 路易十六 十二指肠 十四行诗 六盘山 六盘水 危机四伏 约法三章
党八股 四部丛刊 八项注意 五倍子 一波三折 五个一 九节鞭 三段论 十年浩劫 十年动乱 十年内乱 五台县 小五台 七台河 九台 三台县 三百两 货比三家 里三层外三层 一刀两断 一刀两段
十室九空 正经八百 六根清净 八段锦 三伏 杀机四伏 老三届 十八拍 三只手 三段式 东四十条 两只船 两条船 四位一体 五位一体 七老八十 三回五次 九万大山 五笔输入 五笔字 五笔打 连中三元 铁人三项
冬季两项 现代五项 三倍体 四倍体 六分仪 十六铺 一式两份 七折八扣 两张皮 九天揽月 九天仙女 落九天 三千尺 五步蛇 六月飞霜 六月飞雪 五月飞雪 六本木 五家渠 八百壮士 十二金钗
十二律 十二平均律 十二经脉 十二金牌 十八里店 十八相送 十项全能 士别三日 绕梁三日 胜读十年书 语惊四座 身价十倍 声价十倍 诗三百 三百首 女一号 男一号 空军一号 天字第一号 朝九晚五
说一千道一万 大卸八块 块儿八毛 面壁十年 开门七件事 三元催化 天龙八部 九章算术 七零八 零七八碎 五零四散 五零二落 二月河 二月二 五胡十六国 两个凡是 一点一点 八度音 五度音 三十里铺
三生三世 一三五 二四六 三天三夜 五分钟热度 三次元 三省六部 七宗罪 十二生肖 十二时辰 二十四节气 二十五史 二十国集团 四十大盗 十八线 十万大山
十三大 十四大 十五大 十六大 十七大 十八大 十九大 二十大 二十一大 三只松鼠 七天连锁 七天酒店 十月稻田 十月围城 五月花 三月兔 七年之痒 九层妖塔 三国杀 六度空间 六度分隔
七天无理由 九日山 五日节 三周目 五分裤 七分裤 九分裤 八分音符 四分音符 四分五裂 三分头 七分饱 八拜之交 五斗米 三尺 六尺巷 三碗不过岗 三顾茅庐 五十铃 八十天环游 
七匹狼 七步诗 十三香 四轮驱动 两小无猜 一夜之间 三局两胜 三局二胜 五局三胜 七局四胜 九局五胜 三点式 三点水 两点水 四点底 两点论 两点一线 三点一线 一点一滴 两步走 三步走 三步曲
一分钱一分货 一百零八将 一梯两户 三分天注定 七分靠打拼 三月三日天气新 七月七日长生殿 九月九日忆山东
`;

const phrases = new Phrases<true>();
for (const phrase of idioms.split(/\s+/u)) phrases.add(phrase, true);

/** Days of the lunar calendar, 十月一 for the holiday, and 朝九晚五. */
const dayOrHours =
	/[朝早][六七八九十]晚[五六七八九十]|[一二三四五六七八九十]{1,2}月初[一二三四五六七八九十](?!新生|学生|年级|开学)|八月十五(?=的?月|是?中秋|赏月)|十月一(?=国庆|放假|[长小]?长假|假期|黄金周|期间)|(?:[农阴旧]历闰?[一二三四五六七八九十正冬腊]{1,2}月|[正冬腊]月)[初廿]?[一二三四五六七八九十]{0,3}/gu;

/** Party congresses, spacecraft and events are named in characters. */
const named =
	/[十一二三四五六七八九]{1,3}届[一二三四五六七八九]中全会|(?:神舟|天舟|长征|嫦娥|天宫|天问|风云|北斗|东方红|亚洲|亚太|阿波罗|旅行者|祝融|鹊桥)[十一二三四五六七八九]{1,3}号|[一二三四五六七八九]{2,3}(?:事件|事变|惨案|起义|运动|政变|大罢工|晚会)/gu;

/** Years of an emperor are in characters. */
const reign =
	/(?:建安|贞观|永徽|开元|天宝|洪武|永乐|宣德|成化|弘治|正德|嘉靖|隆庆|万历|天启|崇祯|顺治|康熙|雍正|乾隆|嘉庆|道光|咸丰|同治|光绪|宣统)[元一二三四五六七八九十]{1,3}年(?:[正腊一二三四五六七八九十]{1,2}月)?/gu;

/** Festivals that are also the beginning of a date, 五月五号, unless they are named after it. */
const festival = /^([二三五六七九])月\1$/;
/** Holidays that are also the end of a price: 三块五一斤, 五毛六一度. */
const holiday = /^[五六]一$/;
const priceBefore = /[零〇一二两三四五六七八九十百千万\d][块毛]$/;

/** The fixed phrases in a text, in order. One that begins or ends inside a longer numeral does not count: 二十一 does not contain 十一, 三万一千 not 万一. */
export function fixedPhrases(text: string): Span[] {
	const dated = [dayOrHours, named, reign].flatMap((pattern) =>
		[...text.matchAll(pattern)].map(({ 0: name, index }) => ({
			from: index,
			to: index + name.length,
		})),
	);
	return [...phrases.find(text), ...dated]
		.sort((one, other) => one.from - other.from)
		.filter(
			(span) =>
				!cutsNumeral(text, span.from) &&
				!cutsNumeral(text, span.to) &&
				!beginsDate(text, span) &&
				!endsPrice(text, span) &&
				!beginsPrice(text, span),
		);
}

function beginsDate(text: string, { from, to }: Span): boolean {
	return (
		festival.test(text.slice(from, to)) &&
		/^[号日](?!重阳|端午|七夕|龙抬|上巳)/.test(text.slice(to, to + 3))
	);
}

function endsPrice(text: string, { from, to }: Span): boolean {
	return (
		holiday.test(text.slice(from, to)) &&
		priceBefore.test(text.slice(Math.max(0, from - 2), from))
	);
}

/** 一角五分; alone 一角 is a corner. */
function beginsPrice(text: string, { from, to }: Span): boolean {
	return /^一角[一二三四五六七八九]分(?![之钟])/.test(text.slice(from, to + 3));
}

function cutsNumeral(text: string, at: number): boolean {
	return isNumeral(text[at - 1]) && isNumeral(text[at]);
}

/** Start of a fixed phrase that the end of a growing text may be the beginning of. */
export function fixedPhraseOpenFrom(text: string): number {
	let open = phrases.openFrom(text);
	while (cutsNumeral(text, open)) open--;
	return open;
}
