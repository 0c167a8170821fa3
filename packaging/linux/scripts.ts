import { layout } from './layout.ts';

/** dpkg sets `DPKG_ROOT` when it installs into another root folder. */
const commonScript = `#!/bin/sh
set -e
root="\${DPKG_ROOT:-}"
has_systemd() { [ -d "$root/run/systemd/system" ]; }
# Whose menu and links have changed.
menu() {
  if command -v update-desktop-database >/dev/null 2>&1; then update-desktop-database -q "$root/usr/share/applications" || true; fi
}
`;

/**
 * Finds the package's file name in the command line of dpkg or apt, since scripts do not receive it. Other packages may be in the same
 * command, and a code decides whose computer this becomes: only a file that is our package counts.
 */
const findPackage = String.raw`
is_ours() {
  case "$1" in
    /*) file="$1" ;;
    *) file="/proc/$at/cwd/$1" ;;
  esac
  [ "$(dpkg-deb -f "$file" Package 2>/dev/null)" = porchlight-agent ]
}
package_names() {
  at=$PPID
  while [ "$at" -gt 1 ] && [ -r "/proc/$at/cmdline" ]; do
    tr '\0' '\n' < "/proc/$at/cmdline" | grep '\.deb$' | while IFS= read -r name; do
      if is_ours "$name"; then printf '%s\n' "$name"; fi
    done
    at="$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$at/status")"
  done
}
`;

export const postinst = `${commonScript}${findPackage}
[ "$1" = configure ] || exit 0
mkdir -p "$root/etc/porchlight"
chmod 0700 "$root/etc/porchlight"
names="$(package_names)"
# The agent reads the code in it.
if [ -n "$names" ]; then
  (umask 077; printf '%s\\n' "$names" > "$root${layout.code}")
fi
if has_systemd; then
  systemctl daemon-reload
  systemctl enable porchlight-agent.service
  systemctl restart porchlight-agent.service
fi
menu
exit 0
`;

/**
 * An upgrade stops nothing: the old agent protects until the new one replaces it. Otherwise the agent must first accept its removal (the
 * PIN), restore the DNS settings and verify them; if it refuses, nothing is removed. The settings are restored again after all our
 * processes have ended.
 */
export const prerm = `${commonScript}
case "$1" in
  remove|deconfigure) ;;
  *) exit 0 ;;
esac
[ -x "$root${layout.program}" ] || exit 0
if [ -z "\${PORCHLIGHT_PIN:-}" ] && [ -t 0 ]; then
  printf 'The PIN of the account that protects this computer, or a code from a guardian: ' >&2
  stty -echo 2>/dev/null || true
  read -r PORCHLIGHT_PIN || true
  stty echo 2>/dev/null || true
fi
if ! printf '%s\\n' "\${PORCHLIGHT_PIN:-}" | AGENT_DATA_DIR="$root${layout.state}" AGENT_BACKUP_DIR="$root${layout.backup}" "$root${layout.program}" --uninstall; then
  echo 'Porchlight stays: nothing was removed.' >&2
  exit 1
fi
if has_systemd; then
  systemctl disable --now porchlight-agent.service
fi
# Until it was stopped it may have led names to itself once more, and nobody is there afterwards who could put them back.
if ! AGENT_DATA_DIR="$root${layout.state}" "$root${layout.program}" --restore-names >/dev/null; then
  if has_systemd; then systemctl enable --now porchlight-agent.service || true; fi
  echo 'Porchlight stays: names could not be put back as they were, and nothing was removed.' >&2
  exit 1
fi
exit 0
`;

/** Removes files that updates added, which dpkg does not know. Purging also deletes the identity, the queue and the settings. */
export const postrm = `${commonScript}
case "$1" in
  remove|purge) ;;
  *) exit 0 ;;
esac
rm -rf "$root${layout.folder}"
if [ "$1" = purge ]; then
  rm -rf "$root${layout.state}" "$root${layout.backup}" "$root/etc/porchlight"
fi
if has_systemd; then systemctl daemon-reload || true; fi
menu
exit 0
`;
