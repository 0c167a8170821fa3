import { layout } from './layout.ts';

/**
 * The service. It is root's, since it ends programs of anyone; of what root may do it keeps that (KILL, SYS_PTRACE to read whose file a process runs,
 * DAC_READ_SEARCH), what tells it of programs (NET_ADMIN) and the name service's port (NET_BIND_SERVICE). It must see the processes of everyone, so
 * neither ProtectProc nor a private set of processes or of the network goes. Its memory must not be write-protected for good: V8 compiles.
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
OOMScoreAdjust=-500
Nice=-5
StateDirectory=porchlight-agent
StateDirectoryMode=0700
UMask=0077
CapabilityBoundingSet=CAP_KILL CAP_SYS_PTRACE CAP_DAC_READ_SEARCH CAP_DAC_OVERRIDE CAP_CHOWN CAP_FOWNER CAP_NET_ADMIN CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=full
ReadWritePaths=-/etc/porchlight -/etc/hosts -/etc/resolv.conf -/etc/systemd -/etc/xdg/autostart -/etc/cron.d -/etc/crontab
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

/** In the session of whoever logs in: the window, with what happened. */
export const autostart = `[Desktop Entry]
Type=Application
Name=Porchlight
Comment=Shows when a scam was stopped
Exec=${layout.program} --window
X-GNOME-Autostart-enabled=true
NoDisplay=true
`;

/** Opens links of the dashboard, and the window from the menu. */
export const linkHandler = `[Desktop Entry]
Type=Application
Name=Porchlight
Comment=Is this computer protected?
Exec=${layout.program} --open %u
MimeType=x-scheme-handler/porchlight;
Categories=Utility;Security;
`;
