/** Folders that many products share, as `foldPath` writes them: no definition may claim them. */
export const commonFolders = new Set(
  `program files
program files/common files
program files/windowsapps
program files/microsoft
program files/google
program files/apple
program files/adobe
program files/microsoft office
program files/internet explorer
program files/windows nt
programdata
programdata/microsoft
programdata/package cache
programdata/chocolatey
windows
windows/system32
windows/system32/drivers
windows/syswow64
windows/sysnative
windows/temp
windows/installer
windows/systemapps
windows/servicing
windows/winsxs
temp
users
users/public
appdata
appdata/local
appdata/local/temp
appdata/local/programs
appdata/local/microsoft
appdata/local/google
appdata/locallow
appdata/roaming
appdata/roaming/microsoft
desktop
downloads
documents
applications
applications/utilities
library
library/application support
library/launchagents
library/launchdaemons
library/preferences
library/privilegedhelpertools
library/frameworks
system
system/applications
system/applications/utilities
system/library
system/library/coreservices
system/library/coreservices/applications
usr
usr/bin
usr/sbin
usr/lib
usr/libexec
usr/share
usr/local
usr/local/bin
usr/local/sbin
usr/local/lib
usr/local/share
bin
sbin
lib
etc
var
var/lib
var/log
tmp
private
private/tmp
private/var
opt
opt/google
opt/homebrew
snap
snap/bin
root
home
.config
.local
.local/bin
.local/share`.split('\n'),
);
