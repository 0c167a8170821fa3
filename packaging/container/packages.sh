#!/bin/sh
# The packages of production alone.
set -eu
npm ci --omit=dev
npm cache clean --force
