/** What plain HTTP lacks, and where the encrypted address is. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { apiUrl } from "../app/api.js";
import { texts } from "../texts/texts.js";
import { encryptedAddress } from "./device-address.js";
import { Note } from "./notice.js";

const plainTexts = texts({
	en: {
		plain:
			"This connection is not encrypted, and browsers give a page their microphone over HTTPS only.",
		secure: "Open the encrypted address",
		trust: "How to trust this device's certificate",
		certificate: "Its certificate (all systems)",
		profile: "As a profile (iPhone, iPad, Mac)",
	},
	zh: {
		plain: "当前连接没有加密；浏览器只允许 HTTPS 页面使用麦克风。",
		secure: "打开加密地址",
		trust: "如何信任此设备的证书",
		certificate: "证书（所有系统）",
		profile: "描述文件（iPhone、iPad、Mac）",
	},
	ja: {
		plain:
			"この接続は暗号化されていません。ブラウザーは HTTPS のページにだけマイクの使用を許可します。",
		secure: "暗号化されたアドレスを開く",
		trust: "この本体の証明書を信頼するには",
		certificate: "証明書（すべてのシステム）",
		profile: "プロファイル（iPhone、iPad、Mac）",
	},
});

/** Over plain HTTP there is no microphone: where to find the encrypted address. */
export function PlainConnection() {
	const m = plainTexts();
	const address = encryptedAddress();
	if (isSecureContext || !address) return null;
	return (
		<Note>
			<p>{m.plain}</p>
			<p>
				<a href={address}>{m.secure}</a>
			</p>
			<QrLater text={address} />
			<details>
				<summary>{m.trust}</summary>
				<ul>
					<li>
						<a href={apiUrl("ca.crt")}>{m.certificate}</a>
					</li>
					<li>
						<a href={apiUrl("ca.mobileconfig")}>{m.profile}</a>
					</li>
				</ul>
			</details>
		</Note>
	);
}

/** For a telephone. What draws it is loaded where it is needed only. */
function QrLater({ text }: { readonly text: string }) {
	const loaded = useSignal<typeof import("./qr.js") | undefined>(undefined);
	useEffect(() => {
		import("./qr.js").then(
			(module) => {
				loaded.value = module;
			},
			() => {}, // the link stands above it
		);
	}, []);
	const { value } = loaded;
	return value ? <value.Qr text={text} label={text} /> : null;
}
