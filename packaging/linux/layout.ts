/** Where everything lies once it is installed. Nothing in /lib or /bin: where these are links tar would put folders in their place. */
export const layout = {
  folder: '/opt/porchlight',
  program: '/opt/porchlight/porchlight-agent',
  unit: '/usr/lib/systemd/system/porchlight-agent.service',
  menu: '/usr/share/applications/porchlight.desktop',
  icon: '/usr/share/icons/hicolor/scalable/apps/porchlight.svg',
  /** What it needs to know before it starts; the code that it is linked by, or the name of the package with the code in it, lies there until it was used. */
  settings: '/etc/porchlight/agent.env',
  code: '/etc/porchlight/code',
  state: '/var/lib/porchlight-agent',
} as const;
