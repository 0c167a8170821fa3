import { foldMaker } from './fold.ts';

/** Values that no definition may claim, folded, file names without `.exe`. */

/** File names of many harmless programs, which a definition with such a name would stop. */
export const forbiddenNames = new Set(
  `svchost explorer csrss lsass services winlogon wininit smss dwm conhost taskhostw taskmgr rundll32 regsvr32 dllhost msiexec cmd
  powershell pwsh wscript cscript mshta msedge chrome firefox safari iexplore opera brave onedrive outlook winword excel teams zoom
  helper setup install installer uninstall uninstaller update updater autoupdate launcher loader service agent client server host
  connect remote support app main start run tray viewer monitor daemon tool tools java javaw node python python3 perl electron
  launchd kernel_task finder dock windowserver systemd init bash sh zsh sshd ssh sudo dbus-daemon xorg gnome-shell plasmashell
  curl wget tar 7z plink putty nssm`.split(/\s+/),
);

export const commonProducts = new Set([
  'microsoft windows operating system',
  'microsoft windows',
  'windows',
  'microsoft office',
  'remote desktop',
  'remote desktop connection',
  'remote control',
  'remote access',
  'remote support',
  'remote assistance',
  'screen sharing',
  'desktop sharing',
  'windows installer',
  'windows installer - unicode',
  'installshield',
  'inno setup',
  'nullsoft install system',
  'nsis',
  'chromium',
  'google chrome',
  'nw.js',
  'java platform se',
  'autoit v3 script',
  '7-zip',
  'pc cleaner',
  'driver updater',
  'registry cleaner',
  'antivirus',
]);

/** Products of a definition that are also ordinary words or the names of other products: a mark beside others, but not alone. */
export const ordinaryProducts = new Set([
  'any support',
  'cloud management suite',
  'deep freeze',
  'driver restore',
  'driver support',
  'duet',
  'managed workplace',
  'ocs inventory agent',
  'ocs inventory ng',
  'ocs inventory ng agent',
  'optimizer pro',
  'pc cleaner pro',
  'pc faster',
  'pc monitor',
  'pc performer',
  'pocket controller',
  'proxy host',
  'quasar',
  'rdp configuration program',
  'remote administrator',
  'remote administrator server',
  'remote help',
  'remote service application',
  'remotely',
  'right backup',
  'smart driver updater',
  'super optimizer',
  'support dock',
  'take control',
  'total system care',
  'vision pro',
  'vision student',
  'web companion',
]);

/** Companies that sign many harmless programs: allowed only as broad signers. As `foldMaker` writes them. */
export const sharedSigners = new Set(
  [
    'Microsoft Corporation',
    'Microsoft Windows',
    'Microsoft Windows Publisher',
    'Microsoft Windows Hardware Compatibility Publisher',
    'Microsoft Windows Software Compatibility Publisher',
    'Microsoft 3rd Party Application Component',
    'Google LLC',
    'Apple Inc.',
    'Adobe Inc.',
    'Adobe Systems Incorporated',
    'Mozilla Corporation',
    'Oracle America, Inc.',
    'VMware, Inc.',
    'Intel Corporation',
    'NVIDIA Corporation',
    'Advanced Micro Devices, Inc.',
    'HP Inc.',
    'Dell Inc',
    'Lenovo',
    'Cisco Systems, Inc.',
    'Citrix Systems, Inc.',
    'Parallels International GmbH',
    'Zoom Video Communications, Inc.',
    'LogMeIn, Inc.',
    'GoTo Technologies USA, LLC',
    'Citrix Online',
    'Zoho Corporation Private Limited',
    'Zoho Corporation Pvt. Ltd.',
    'Ivanti, Inc.',
    'Comodo Security Solutions, Inc.',
    'Symantec Corporation',
    'Amazon.com Services LLC',
    'DigiCert, Inc.',
    'Sectigo Limited',
    'SignPath Foundation',
    'Certum',
    'Open Source Developer',
  ].map(foldMaker),
);

export const sharedServices = new Set(
  `termservice umrdpservice sessionenv winrm wuauserv bits spooler schedule eventlog lanmanserver lanmanworkstation rpcss dnscache
  sshd ssh openssh cron dbus networkmanager systemd-logind service agent update updater remote`.split(/\s+/),
);

export const sharedTeams = new Set(['eqhxz8m8av', 'ubf8t346g9', 'tz824l8y37']);

/** Hosts of many products: blocking such a host would affect far more than the defined product. */
export const sharedHosts = new Set(
  `amazonaws.com cloudfront.net github.io github.com githubusercontent.com gitlab.io azurewebsites.net azureedge.net windows.net
  azure.com googleapis.com gstatic.com google.com google withgoogle.com appspot.com firebaseapp.com web.app pages.dev workers.dev
  cloudflare.com cloudflare.net netlify.app vercel.app herokuapp.com onrender.com fastly.net akamai.net akamaized.net edgekey.net
  microsoft.com live.com office.com apple.com icloud.com amazon.com facebook.com dropbox.com dropboxusercontent.com wordpress.com
  blogspot.com wixsite.com weebly.com squarespace.com softonic.com informer.com sourceforge.net pubnubapi.com pubnub.com
  stunprotocol.org ngrok.io ngrok-free.app trycloudflare.com zoho.com zoho.eu zoho.in goto.com logmein.com getgo.com oray.net
  signalserver.xyz solarwinds.com comodo.com ivanti.com tencent.com qq.com taobao.com`.split(/\s+/),
);

/** Words not allowed in help texts: technical terms, and claims about a result that the text cannot know. */
export const unwantedWords = [
  /\btokens?\b/i,
  /\bAPI\b/,
  /\binvalid\b/i,
  /\bblocked\b/i,
  /\bendpoint\b/i,
  /\bRMM\b/,
  /\byour (own )?fault\b/i,
  /\byou should have\b/i,
];
