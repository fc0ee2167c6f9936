import t from "tap";
import { outboundOf, ownPort } from "./places.js";

/** [URL, why not] */
const refused: readonly (readonly [string, RegExp])[] = [
	// this machine, in every spelling that some parser takes
	["http://127.0.0.1/", /appliance itself/],
	["http://127.0.0.1:7100/v1/asr/api", /appliance itself/],
	["http://127.1/", /appliance itself/],
	["http://127.0.1/", /appliance itself/],
	["http://2130706433/", /appliance itself/],
	["http://0x7f000001/", /appliance itself/],
	["http://0x7f.0.0.1/", /appliance itself/],
	["http://0177.0.0.1/", /appliance itself/],
	["http://017700000001/", /appliance itself/],
	["http://127.0.0.1./", /appliance itself/],
	["http://127.255.255.254/", /appliance itself/],
	["http://１２７.０.０.１/", /appliance itself/],
	["http://127。0。0。1/", /appliance itself/],
	["http://①②⑦.0.0.1/", /appliance itself/],
	["http://%31%32%37.0.0.1/", /appliance itself/],
	["http://localhost/", /appliance itself/],
	["http://LOCALHOST:80/", /appliance itself/],
	["http://localhost./", /appliance itself/],
	["http://a.localhost/", /appliance itself/],
	["http://[::1]/", /appliance itself/],
	["http://[0:0:0:0:0:0:0:1]/", /appliance itself/],
	["http://[::ffff:127.0.0.1]/", /appliance itself/],
	["http://[::ffff:7f00:1]/", /appliance itself/],
	["http://[::127.0.0.1]/", /reserved/],
	["http://[::a00:1]/", /reserved/],
	["http://[4000::1]/", /reserved/],
	["http://203.0.114.7/", /appliance itself/], // public, and ours
	["http://203.0.114.7:7100/", /appliance itself/],
	["http://[2001:4860:1:2::20]/", /appliance itself/],
	["http://0.0.0.0/", /unspecified/],
	["http://0/", /unspecified/],
	["http://0.1.2.3/", /unspecified/],
	["http://[::]/", /unspecified/],
	// clouds
	["http://169.254.169.254/latest/meta-data/", /link local/],
	["http://2852039166/", /link local/],
	["http://0xa9fea9fe/", /link local/],
	["http://[::ffff:169.254.169.254]/", /link local/],
	["http://[fe80::1]/", /link local/],
	["http://[fd00:ec2::254]/", /unique local/],
	["http://100.100.100.200/", /carrier grade nat/],
	["http://168.63.129.16/", /metadata/],
	// local networks
	["http://10.0.0.1/", /private/],
	["http://10.255.255.255/", /private/],
	["http://172.16.0.1/", /private/],
	["http://172.31.255.255/", /private/],
	["http://192.168.0.1/", /private/],
	["http://0xc0.0xa8.0x0.0x1/", /private/],
	["http://[fc00::1]/", /unique local/],
	["http://[fec0::1]/", /site local/],
	["http://[::ffff:192.168.0.1]/", /private/],
	["http://203.0.114.1/", /a network of this appliance/], // public, and ours
	["http://[2001:4860:1:2::99]/", /a network of this appliance/],
	// addresses inside addresses
	["http://[64:ff9b::7f00:1]/", /appliance itself/],
	["http://[64:ff9b::a00:1]/", /private/],
	["http://[64:ff9b::a9fe:a9fe]/", /link local/],
	["http://[64:ff9b:1::a00:1]/", /address/],
	["http://[2002:7f00:1::]/", /6to4/],
	["http://[2001:0:53aa:64c:0:fbff:80ff:fffe]/", /teredo/],
	// nobody's
	["http://192.0.2.1/", /reserved/],
	["http://198.51.100.1/", /reserved/],
	["http://198.18.0.1/", /address/],
	["http://192.0.0.170/", /reserved/],
	["http://224.0.0.251/", /multicast/],
	["http://240.0.0.1/", /reserved/],
	["http://255.255.255.255/", /broadcast/],
	["http://[ff02::1]/", /multicast/],
	["http://[2001:db8::1]/", /reserved/],
	["http://[100::1]/", /discard/],
	// no URL of ours
	["", /begin with/],
	["/etc/passwd", /begin with/],
	["file:///etc/passwd", /begin with/],
	["ftp://example.com/a.wav", /begin with/],
	["gopher://example.com/", /begin with/],
	["data:audio/wav;base64,AAAA", /begin with/],
	["javascript:alert(1)", /begin with/],
	["//example.com/a.wav", /begin with/],
	["http:example.com", /begin with/],
	["http://", /not a URL/],
	["http://[::1", /not a URL/],
	["http://1.2.3.4.5/", /not a URL/],
	["http://256.256.256.256/", /not a URL/],
	["http://exa mple.com/", /spaces/],
	["http://example.com/\r\nX-Evil: 1", /control/],
	["http://exam\tple.com/", /control/],
	["http://example.com\\@127.0.0.1/", /backslashes/],
	["http://user@example.com/", /user name/],
	["http://user:secret@example.com/", /user name/],
	["http://example.com@127.0.0.1/", /user name/],
	["http://:secret@example.com/", /user name/],
	["http://[fe80::1%25eth0]/", /not a URL|no host/],
	["http://example.com:0/", /port 0/],
	["http://example.com:65536/", /not a URL/],
	["http://example.com:http/", /not a URL/],
	[`http://example.com/${"a".repeat(2048)}`, /2048 characters/],
];

const allowed = [
	"http://example.com/a.wav",
	"https://example.com:8443/a/b?c=d#e",
	"http://93.184.216.34/",
	"http://[2606:2800:220:1::1]/",
	"http://[2001:4860:1:3::99]/",
	"http://203.0.114.9/",
	"http://[64:ff9b::5db8:d822]/", // NAT64, to 93.184.216.34
	"http://xn--fsq.example/",
	"http://例え.example/",
	"http://example.com./",
	"http://a_b.example.com/",
	"http://172.32.0.1/",
	"http://100.128.0.1/",
	"http://11.0.0.1/",
	"http://nip.io/", // what a name means is only known when it is asked for
];

t.test("forbidden URLs are refused without a look-up", async (t) => {
	const outbound = outboundOf();
	for (const [url, why] of refused)
		t.match(outbound.objection(url), why, url.slice(0, 60) || "(empty)");
	for (const url of allowed) t.equal(outbound.objection(url), undefined, url);
	t.ok(refused.length + allowed.length >= 60);
});

t.test("an opened prefix of NAT64 opens no other address", async (t) => {
	const outbound = outboundOf(["64:ff9b::/96", "64:ff9b:1::/48"]);
	for (const url of ["http://[64:ff9b::a00:1]/", "http://[64:ff9b:1::a00:1]/"])
		t.equal(outbound.objection(url), undefined, url);
	for (const url of ["http://127.0.0.1:8080/", "http://10.0.0.1/"])
		t.ok(outbound.objection(url), url);
});

t.test("the operator's list opens exactly what it names", async (t) => {
	const outbound = outboundOf([
		"192.168.1.0/24",
		"10.1.2.3",
		"NAS.local.",
		"[fd00::5]",
		"fd12::/16",
		"127.0.0.1",
	]);
	for (const url of [
		"http://192.168.1.7/",
		"http://192.168.1.20/", // this appliance's address, another program's port
		"http://10.1.2.3:9000/",
		"http://[fd00::5]/",
		"http://[fd12:1::1]/",
		"http://[::ffff:10.1.2.3]/",
		"http://127.0.0.1:9000/",
		`http://127.0.0.1:${ownPort}/`, // named exactly
	])
		t.equal(outbound.objection(url), undefined, url);
	for (const url of [
		"http://192.168.2.7/",
		"http://10.1.2.4/",
		"http://[fd00::6]/",
		"http://[fd13::1]/",
		"http://127.0.0.2/",
		"http://169.254.169.254/",
		`http://192.168.1.20:${ownPort}/`, // a network does not open our own port
	])
		t.not(outbound.objection(url), undefined, url);
	t.equal(outboundOf(["0.0.0.0/0"]).objection("http://10.0.0.1/"), undefined);
});

t.test("an invalid entry of outbound.allow is named", async (t) => {
	for (const entry of ["10.0.0.0/33", "10.0.0/8x", "http://a/", "a b", "", "*"])
		t.throws(() => outboundOf([entry]), /outbound\.allow must contain/, entry);
});
