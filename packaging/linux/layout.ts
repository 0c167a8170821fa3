/** The paths of everything that is installed. Nothing in /lib or /bin: where these are links tar would put folders in their place. */
export const layout = {
  folder: '/opt/porchlight',
  program: '/opt/porchlight/porchlight-agent',
  unit: '/usr/lib/systemd/system/porchlight-agent.service',
  menu: '/usr/share/applications/porchlight.desktop',
  icon: '/usr/share/icons/hicolor/scalable/apps/porchlight.svg',
  /** Settings that the agent reads before it starts. The device code, or the name of the package with the code in it, stays there until it is used. */
  settings: '/etc/porchlight/agent.env',
  code: '/etc/porchlight/code',
  state: '/var/lib/porchlight-agent',
} as const;
