/** A configuration profile that offers an authority's certificate to iOS and macOS (Apple, Configuration Profile Reference: `com.apple.security.root`). */
import { createHash, type X509Certificate } from "node:crypto";

/** @returns the profile as an XML property list. The user still has to trust it: Settings, General, About, Certificate Trust Settings. */
export function mobileConfigOf(authority: X509Certificate): string {
	const name = escaped(commonNameOf(authority));
	const id = createHash("sha256").update(authority.raw).digest("hex");
	const content = authority.raw.toString("base64");
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>PayloadType</key><string>Configuration</string>
	<key>PayloadVersion</key><integer>1</integer>
	<key>PayloadIdentifier</key><string>earshot.${id.slice(0, 16)}</string>
	<key>PayloadUUID</key><string>${uuidOf(id)}</string>
	<key>PayloadDisplayName</key><string>${name}</string>
	<key>PayloadDescription</key><string>Lets this device trust the certificate of one earshot appliance.</string>
	<key>PayloadContent</key>
	<array>
		<dict>
			<key>PayloadType</key><string>com.apple.security.root</string>
			<key>PayloadVersion</key><integer>1</integer>
			<key>PayloadIdentifier</key><string>earshot.${id.slice(0, 16)}.ca</string>
			<key>PayloadUUID</key><string>${uuidOf(id.slice(32))}</string>
			<key>PayloadDisplayName</key><string>${name}</string>
			<key>PayloadContent</key><data>${content}</data>
		</dict>
	</array>
</dict>
</plist>
`;
}

function commonNameOf({ subject }: X509Certificate): string {
	return /^CN=(.*)$/m.exec(subject)?.[1] ?? "earshot";
}

/** The same certificate gives the same id, so that a profile is replaced and not added. */
function uuidOf(hex: string): string {
	return hex
		.slice(0, 32)
		.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
		.toUpperCase();
}

function escaped(text: string): string {
	return text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;");
}
