#!/bin/sh
# In the folder Applications: opens in a window of its own, and asks for the password of this Mac, then for the PIN.
echo "This removes Porchlight from this Mac. First type the password that you log in with; nothing is shown while you type."
sudo "/Library/Application Support/Porchlight/uninstall"
echo "You can close this window."
