#!/bin/sh
# Makes the application whole: Apple's own program that runs a script, made by the Mac itself, around the Info.plist of the package, which names the links that
# are ours. $1: the application. Without it a typed code still links this Mac.
application=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

osacompile -o "$work/made.app" "$application/Contents/Resources/open.applescript" || exit 1
cp -R "$work/made.app/Contents/MacOS" "$work/made.app/Contents/Resources" "$application/Contents/" || exit 1
# Its seal was made for another Info.plist, and macOS starts nothing whose seal is broken.
rm -rf "$application/Contents/_CodeSignature"
codesign --force --sign - "$application" || exit 1
