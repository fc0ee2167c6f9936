/**
 * What dpkg runs around an installation (Debian Policy, chapter 6). The service is started again after an upgrade, and its state stays until a purge. So does
 * what is enabled, as links in /etc: installed again, the service is what it was, also where the administrator had disabled it. Where there is no systemd (a
 * container, an image that is being made) only the user and the folders are made.
 */

const service = "earshot.service";
const target = "earshot-microphone.target";

const postinst = `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  # of earshot update: what is installed now is not on trial
  rm -f /usr/bin/earshot.attempt /usr/bin/earshot.earlier /usr/bin/earshot.next
  rm -rf /usr/bin/.earshot-*
  if command -v systemd-sysusers >/dev/null; then
    systemd-sysusers earshot.conf
  elif ! getent passwd earshot >/dev/null; then
    adduser --system --group --quiet --home /var/lib/earshot --no-create-home earshot
    adduser --quiet earshot audio
  fi
  install -d -m 0700 -o earshot -g earshot /var/lib/earshot
  install -d -m 0750 -o root -g earshot /etc/earshot /etc/earshot/earshot.d
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    if [ -z "$2" ]; then systemctl enable --quiet ${service}; fi
    if systemctl is-enabled --quiet ${service}; then
      systemctl restart --no-block ${service}
    else
      # its target started it, or a person
      systemctl try-restart --no-block ${service} || true
    fi
    if systemctl is-enabled --quiet ${target} && systemctl is-active --quiet sound.target; then
      systemctl start --no-block ${target}
    fi
  fi
fi
`;

const prerm = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl stop ${service} ${target} || true
fi
`;

const postrm = `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
if [ "$1" = remove ] || [ "$1" = purge ]; then
  # also what an updater was writing when it was killed
  rm -f /usr/bin/earshot.attempt* /usr/bin/earshot.earlier /usr/bin/earshot.next /usr/bin/earshot.previous* /usr/bin/earshot.refused* /usr/bin/earshot.lock
  rm -rf /usr/bin/.earshot-*
fi
if [ "$1" = purge ]; then
  rm -rf /var/lib/earshot /etc/earshot
  rm -f /etc/systemd/system/*.wants/${service} /etc/systemd/system/*.wants/${target}
  if getent passwd earshot >/dev/null && command -v deluser >/dev/null; then deluser --quiet --system earshot || true; fi
fi
`;

export const maintainerScripts: Readonly<Record<string, string>> = {
	postinst,
	prerm,
	postrm,
};
