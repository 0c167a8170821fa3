#!/bin/sh
# Builds the dashboard, in a stage that is thrown away with the packages of development.
set -eu
npm ci --include=dev
npm run build
