"""Browses for Wyoming servers with the zeroconf package: prints a line of JSON for each one that is found, changes or leaves. Argument: the address of the interface."""

import json
import sys

from zeroconf import ServiceBrowser, ServiceStateChange, Zeroconf

service_type = "_wyoming._tcp.local."
zeroconf = Zeroconf(interfaces=[sys.argv[1]])


def on_change(zeroconf, service_type, name, state_change):
    line = {"name": name, "change": state_change.name}
    if state_change is ServiceStateChange.Added:
        info = zeroconf.get_service_info(service_type, name)
        line |= {"port": info.port, "addresses": info.parsed_addresses()}
    print(json.dumps(line), flush=True)


browser = ServiceBrowser(zeroconf, service_type, handlers=[on_change])
print(json.dumps({"change": "Browsing"}), flush=True)
sys.stdin.read()
zeroconf.close()
