#!/bin/sh
# Takes Porchlight off this Mac: sudo "/Library/Application Support/Porchlight/uninstall"
# It asks for the PIN; the agent checks it, puts the network back as it was, and only then is anything removed.
# ROOT: the disk, and RUNNING: the one that runs, for tests.
root=${ROOT:-}
folder="$root/Library/Application Support/Porchlight"
daemon=example.porchlight.agent
window=example.porchlight.window

if [ -z "$root" ] && [ "$(id -u)" != 0 ]; then
  echo "Please start this with sudo in front." >&2
  exit 1
fi
if [ -t 0 ]; then
  printf 'The PIN of the dashboard, or a code from a guardian: '
  stty -echo
fi
read -r pin
[ -t 0 ] && stty echo && echo
# By its input: what stands on a command line can be read by every program.
if ! printf '%s\n' "$pin" | AGENT_DATA_DIR="$folder/data" AGENT_BACKUP_DIR="$folder/link" "$folder/porchlight-agent" --uninstall; then
  echo "Nothing was removed." >&2
  exit 1
fi

stays() {
  [ "$root" != "${RUNNING:-}" ] || launchctl bootstrap system "$root/Library/LaunchDaemons/$daemon.plist" 2>/dev/null
  echo "$1 Nothing was removed. Please start this again." >&2
  exit 1
}
if [ "$root" = "${RUNNING:-}" ]; then
  for uid in $(ps -axo uid=,comm= | awk '$2 ~ /loginwindow$/ { print $1 }'); do launchctl bootout "gui/$uid/$window" 2>/dev/null; done
  launchctl bootout "system/$daemon" 2>/dev/null
  # It may be back before the agent has ended.
  tries=0
  while launchctl print "system/$daemon" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || stays "Porchlight does not end."
    sleep 0.5
  done
fi
# Until it ended it may have led names to itself once more, and what was kept of how they were goes with the folder.
AGENT_DATA_DIR="$folder/data" "$folder/porchlight-agent" --restore-names >/dev/null || stays "Names could not be put back as they were."
[ "$root" != "${RUNNING:-}" ] || pkgutil --forget "$daemon" >/dev/null 2>&1
rm -f "$root/Library/LaunchDaemons/$daemon.plist" "$root/Library/LaunchAgents/$window.plist"
rm -rf "$folder" "$root/Applications/Porchlight.app" "$root/Applications/Uninstall Porchlight.command"
echo "Porchlight was removed from this Mac."
