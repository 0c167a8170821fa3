#!/bin/sh
# After the files are in their place: keeps the program for this processor, and starts it. $3: the disk that it was put on.
root=${3:-/}
root=${root%/}
folder="$root/Library/Application Support/Porchlight"
daemon=example.porchlight.agent
window=example.porchlight.window

# A Mac with Apple's own processor says so even to a program that runs translated.
if [ "$(sysctl -n hw.optional.arm64 2>/dev/null || uname -m | sed 's/arm64/1/')" = 1 ]; then kept=arm64 other=x64; else kept=x64 other=arm64; fi
mv -f "$folder/porchlight-agent-$kept" "$folder/porchlight-agent" || exit 1
for native in "$folder"/koffi-*.node-"$kept"; do mv -f "$native" "${native%-"$kept"}" || exit 1; done
rm -f "$folder/porchlight-agent-$other" "$folder"/koffi-*.node-"$other" "$folder/porchlight-agent.old" "$folder/porchlight-agent.new"

# One that cannot open is none.
application="$root/Applications/Porchlight.app"
if ! "$folder/application" "$application" 2>/dev/null; then rm -rf "$application"; fi

# Only on the disk that is running: a package may be put on another one. RUNNING: that disk, for tests.
[ "$root" = "${RUNNING:-}" ] || exit 0
launchctl bootout "system/$daemon" 2>/dev/null
# The one before may take its time to end, and until then launchd takes no other.
tries=0
until launchctl bootstrap system "$root/Library/LaunchDaemons/$daemon.plist"; do
  tries=$((tries + 1))
  [ "$tries" -lt 60 ] || exit 1
  sleep 0.5
done
/System/Library/Frameworks/CoreServices.framework/Frameworks/LaunchServices.framework/Support/lsregister -f "$application" 2>/dev/null
uid=$(stat -f %u /dev/console)
if [ "$uid" -ge 500 ]; then
  launchctl bootout "gui/$uid/$window" 2>/dev/null
  launchctl bootstrap "gui/$uid" "$root/Library/LaunchAgents/$window.plist" 2>/dev/null
fi
exit 0
