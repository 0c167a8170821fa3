import { brand } from '@porchlight/contract/brand.ts';
import { layout } from './layout.ts';

/** What in /etc decides who may do what, which code runs and who is believed: the agent never writes them. Paths that do not exist are ignored. */
const shutInEtc = [
  ...['passwd', 'shadow', 'group', 'gshadow', 'subuid', 'subgid', 'sudoers', 'sudoers.d', 'pam.d', 'security', 'ssh', 'polkit-1'],
  ...['dbus-1', 'selinux', 'apparmor', 'apparmor.d', 'nsswitch.conf', 'login.defs', 'shells', 'securetty'],
  ...['ld.so.conf', 'ld.so.conf.d', 'ld.so.cache', 'ld.so.preload', 'environment', 'profile', 'profile.d', 'bash.bashrc', 'skel', 'X11'],
  ...['init.d', 'rc.local', 'default', 'udev', 'systemd/system', 'systemd/user', 'NetworkManager', 'network', 'dhcp', 'ppp', 'acpi'],
  ...['cron.hourly', 'cron.daily', 'cron.weekly', 'cron.monthly', 'anacrontab', 'logrotate.d', 'tmpfiles.d', 'sysusers.d', 'binfmt.d'],
  ...[
    'modprobe.d',
    'modules-load.d',
    'sysctl.d',
    'grub.d',
    'fstab',
    'crypttab',
    'ssl',
    'pki',
    'ca-certificates',
    'apt',
    'dpkg',
    'yum.repos.d',
  ],
];

/**
 * All that may be written besides its own two folders; where one is not there it is passed over.
 * - /etc: hosts and resolv.conf as names in it (opened as files they would be shut as soon as NetworkManager, a DHCP client or an editor puts another file in
 *   their place, and names neither taken nor given back), resolved.conf.d, crontab, cron.d and xdg/autostart for start-up entries.
 * - where a link in the place of resolv.conf leads.
 * - /var/spool/cron: lines of people's tables. /opt, /usr/local: programs that no package has put there; our own for updates.
 * - /run/systemd/system and /run/systemd/user: what a service must not do while it is ended. They are root's alone, and nothing in them outlasts a restart;
 *   who may write to /etc/cron.d gains no rights by them.
 * - people's homes and what they carry about: there only a process with the rights of the folder's owner writes, root has none without CAP_DAC_OVERRIDE.
 */
const open = [
  ...[
    '/etc',
    '/run/NetworkManager',
    '/run/resolvconf',
    '/run/netconfig',
    '/run/connman',
    '/run/systemd/system',
    '/run/systemd/user',
    '/var/spool/cron',
    '/opt',
    '/usr/local',
  ],
  ...['/home', '/var/home', '/root', '/srv', '/mnt', '/media', '/run/media', '/tmp', '/var/tmp', '/dev/shm'],
];

/** What root keeps of what it may do, each with why. */
const capabilities = {
  CAP_KILL: 'ends programs of anyone',
  CAP_SYS_PTRACE: 'reads whose file a process runs',
  CAP_DAC_READ_SEARCH:
    'reads what lies in homes and in people’s tables of cron; it writes nowhere that root may not as itself: that is CAP_DAC_OVERRIDE',
  CAP_SETUID: 'becomes the owner of a folder, for good, to work in it',
  CAP_SETGID: 'and their group',
  CAP_CHOWN: 'gives a table of cron, and a file in a folder that is root’s alone, to whom it belonged',
  CAP_NET_ADMIN: 'is told of each program that starts',
  CAP_NET_BIND_SERVICE: 'has the port of names',
};

/**
 * The service. It is root's, since it ends programs of anyone. It must see the processes of everyone, so neither ProtectProc nor a private set of processes
 * or of the network goes. Its memory must not be write-protected for good: V8 compiles. It reports to systemd every ten seconds, which restarts it if it
 * hangs. It ends its own children, in their order; after an update systemd watches its successor.
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
CapabilityBoundingSet=${Object.keys(capabilities).join(' ')}
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${open.map((path) => `-${path}`).join(' ')}
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
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

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
