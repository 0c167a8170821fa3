import { brand } from '@porchlight/contract/brand.ts';
import { layout } from './layout.ts';

/** What in /etc decides who may do what, which code runs and who is believed: never written by us. One that is not there is passed over. */
const shutInEtc = [
  ...[
    'passwd',
    'shadow',
    'group',
    'gshadow',
    'sudoers',
    'sudoers.d',
    'pam.d',
    'security',
    'ssh',
    'polkit-1',
    'dbus-1',
    'selinux',
    'apparmor.d',
  ],
  ...['ld.so.conf', 'ld.so.conf.d', 'ld.so.preload', 'environment', 'profile', 'profile.d', 'bash.bashrc', 'init.d', 'default', 'udev'],
  ...['modprobe.d', 'modules-load.d', 'sysctl.d', 'grub.d', 'fstab', 'ssl', 'pki', 'ca-certificates', 'apt', 'dpkg', 'yum.repos.d'],
];

/**
 * The service. It is root's, since it ends programs of anyone; of what root may do it keeps that (KILL, SYS_PTRACE to read whose file a process runs,
 * DAC_READ_SEARCH), what tells it of programs (NET_ADMIN) and the name service's port (NET_BIND_SERVICE). It must see the processes of everyone, so
 * neither ProtectProc nor a private set of processes or of the network goes. Its memory must not be write-protected for good: V8 compiles.
 * What is put away may lie in /usr/local, where no package has put it. Of /etc the folder itself is open: hosts and resolv.conf opened as files would be
 * shut as soon as anyone (NetworkManager, a DHCP client, an editor) puts another file in their place, and names neither taken nor given back. The system hears from it every ten seconds, and starts anew what hangs. It ends its
 * own children, in their order; after an update its successor is what systemd looks after.
 */
export const unit = `[Unit]
Description=Porchlight stops remote-access scams on this computer
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
EnvironmentFile=-${layout.settings}
Environment=AGENT_DATA_DIR=${layout.state} AGENT_CODE_FILE=${layout.code} AGENT_SYSTEM=on
ExecStart=${layout.program} --free
Restart=always
RestartSec=1
TimeoutStopSec=15
NotifyAccess=main
WatchdogSec=30
KillMode=mixed
OOMScoreAdjust=-500
Nice=-5
StateDirectory=porchlight-agent
StateDirectoryMode=0700
RuntimeDirectory=porchlight
RuntimeDirectoryMode=0755
UMask=0077
CapabilityBoundingSet=CAP_KILL CAP_SYS_PTRACE CAP_DAC_READ_SEARCH CAP_DAC_OVERRIDE CAP_CHOWN CAP_FOWNER CAP_NET_ADMIN CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=yes
ReadWritePaths=-/usr/local
ReadOnlyPaths=${shutInEtc.map((name) => `-/etc/${name}`).join(' ')}
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectKernelLogs=yes
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
LockPersonality=yes
SystemCallArchitectures=native

[Install]
WantedBy=multi-user.target
`;

/** In the menu: opens the window. It is also what a `porchlight://` link of the dashboard starts. */
export const menuEntry = `[Desktop Entry]
Type=Application
Name=${brand.name}
Comment=Is this computer protected?
Exec=${layout.program} --open %u
Icon=porchlight
Terminal=false
StartupNotify=false
MimeType=x-scheme-handler/porchlight;
Categories=System;Security;
`;

/** The lamp, lit, on paper. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 80 80" fill="none" stroke="#1b2a4a" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"><rect x="-6" y="2" width="76" height="76" rx="16" fill="#fbf6ec" stroke="none"/><path d="M32 8v6M14 29 32 15l18 14"/><path d="M18 31h28l-4 28H22z" fill="#f2b544"/><path d="M25 65h14M29 72h6"/></svg>
`;
