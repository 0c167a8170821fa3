#!/bin/sh
# Debian's NSIS makes the installer for Windows.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends nsis
rm -rf /var/lib/apt/lists/*
