#!/bin/sh
# The only folders that the server writes to, for the user who runs it: folders.sh USER
set -eu
install -d -o "$1" -g "$1" -m 0700 /var/lib/porchlight /var/backups/porchlight
install -d -o "$1" -g "$1" -m 0700 .cache
