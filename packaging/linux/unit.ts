import { brand } from '@porchlight/contract/brand.ts';
import { layout } from './layout.ts';

/** Paths in /etc that decide about rights, running code and trust: the agent never writes them. Missing paths are ignored. */
const readOnlyInEtc = [
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
 * Writable paths besides the agent's own two folders; missing ones are ignored.
 * - /etc: hosts and resolv.conf as names in it (when opened as files, they become read-only as soon as NetworkManager, a DHCP client or an
 * editor replaces them), resolved.conf.d, crontab, cron.d and xdg/autostart.
 * - the target folders of a linked resolv.conf.
 * - /var/spool/cron: users' crontabs. /opt, /usr/local: unpackaged programs; our own updates.
 * - the policies of a Firefox that has its own: a file in /etc would hide them.
 * - /run/systemd/system and /run/systemd/user: drop-ins that disable services until a restart. Root-only; writing to /etc/cron.d already
 * gives the same rights.
 * - homes and removable media: only a process with the rights of the folder's owner can write there, since root lacks CAP_DAC_OVERRIDE.
 */
const writablePaths = [
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
    '/usr/lib/firefox-esr/distribution',
    '/usr/lib/firefox/distribution',
    '/usr/lib64/firefox/distribution',
  ],
  ...['/home', '/var/home', '/root', '/srv', '/mnt', '/media', '/run/media', '/tmp', '/var/tmp', '/dev/shm'],
];

const capabilities = {
  CAP_KILL: 'ends programs of anyone',
  CAP_SYS_PTRACE: 'reads whose file a process runs',
  CAP_DAC_READ_SEARCH:
    'reads what lies in homes and in people’s tables of cron; it writes nowhere that root may not as itself: that is CAP_DAC_OVERRIDE',
  CAP_SETUID: 'becomes the owner of a folder, for good, to work in it',
  CAP_SETGID: 'and their group',
  CAP_CHOWN: 'gives a table of cron, and a file in a folder that is root’s alone, to whom it belonged',
  CAP_NET_ADMIN: 'is told of each program that starts, and cuts the internet (nft)',
  CAP_NET_BIND_SERVICE: 'has the port of names',
};

/**
 * Runs as root, since it ends any user's programs. It must see all processes, so neither ProtectProc nor a private PID or network namespace
 * is possible; V8 compiles, so MemoryDenyWriteExecute is not either. It notifies systemd's watchdog every ten seconds. It ends its own
 * children in order; after an update, systemd watches its successor.
 */
export const unit = `[Unit]
Description=Porchlight stops remote-access scams on this computer
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
EnvironmentFile=-${layout.settings}
Environment=AGENT_DATA_DIR=${layout.state} AGENT_BACKUP_DIR=${layout.backup} AGENT_CODE_FILE=${layout.code} AGENT_SYSTEM=on
ExecStart=${layout.program} --free
Restart=always
RestartSec=1
TimeoutStopSec=15
NotifyAccess=main
WatchdogSec=30
KillMode=mixed
OOMScoreAdjust=-500
Nice=-5
StateDirectory=porchlight-agent porchlight-link
StateDirectoryMode=0700
RuntimeDirectory=porchlight
RuntimeDirectoryMode=0755
UMask=0077
CapabilityBoundingSet=${Object.keys(capabilities).join(' ')}
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${writablePaths.map((path) => `-${path}`).join(' ')}
ReadOnlyPaths=${readOnlyInEtc.map((name) => `-/etc/${name}`).join(' ')}
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

/** Opens the agent's window; also handles the dashboard's `porchlight://` links. */
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
Actions=help;

[Desktop Action help]
Name=I need help now
Exec=${layout.program} --need-help
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 80 80" fill="none" stroke="#1b2a4a" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"><rect x="-6" y="2" width="76" height="76" rx="16" fill="#fbf6ec" stroke="none"/><path d="M32 8v6M14 29 32 15l18 14"/><path d="M18 31h28l-4 28H22z" fill="#f2b544"/><path d="M25 65h14M29 72h6"/></svg>
`;
