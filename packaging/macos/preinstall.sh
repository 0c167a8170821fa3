#!/bin/sh
# Before the files are put in their place: finds the code that stands in brackets in the name of this package, and keeps it for the agent.
# $1: this package. $3: the disk that it is put on. PACKAGE_PATH: this package too, set by the installer.
LC_ALL=C
export LC_ALL
root=${3:-/}
root=${root%/}
data="$root/Library/Application Support/Porchlight/data"

decode() {
  sed -e 's/%5[Bb]/[/g' -e 's/%5[Dd]/]/g' -e 's/%20/ /g' -e 's/%2[Bb]/+/g' -e 's/%2[Dd]/-/g' -e 's/%2[Ff]/\//g' -e 's/%5[Ff]/_/g' \
    -e 's/%[Ee]2%80%9[34]/-/g' -e 's/%25/%/g'
}

# What stands in brackets in the last part of a path, each on its own line, without what people and browsers put between the letters.
bracketed() {
  sed -e 's/.*[/\\]//' | awk '{ while (match($0, /\[[^][]*\]/)) { print substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }' |
    sed -e 's/–//g' -e 's/—//g' -e 's/[ _+	-]//g' | tr '[:lower:]' '[:upper:]'
}

# The code in a name, or nothing: also when two differ, for nobody can say which one was meant.
code_in() {
  once=$(printf '%s\n' "$1" | decode)
  twice=$(printf '%s\n' "$once" | decode)
  printf '%s\n' "$1" "$once" "$twice" | bracketed | grep -E '^[ABCDEFGHJKMNPQRSTUVWXYZ23456789]{8}$' | sort -u |
    awk '{ code = $0 } END { if (NR == 1) print substr(code, 1, 4) "-" substr(code, 5) }'
}

# Only the name of this very package counts. Any web page can put a file into Downloads, and a code decides whose computer this becomes: a copy that
# has lost its code in its name gets the free plan, and the window asks for the code.
code=
for name in "${PACKAGE_PATH:-}" "${1:-}"; do
  code=$(code_in "$name")
  [ -n "$code" ] && break
done

mkdir -p "$data" && chmod 700 "$data" || exit 1
# Without a code a new computer gets the free plan, and one that is linked already stays as it is.
if [ -n "$code" ] || [ ! -e "$data/identity.json" ]; then
  (umask 077 && printf '%s\n' "$code" >"$data/enrol") || exit 1
fi
exit 0
