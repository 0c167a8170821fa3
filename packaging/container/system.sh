#!/bin/sh
# Debian's NSIS makes the installer for Windows, and osslsigncode signs it where there is a certificate.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends nsis osslsigncode
rm -rf /var/lib/apt/lists/*
