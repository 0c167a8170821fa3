/** Where everything lies once it is installed. */
export const layout = {
  folder: '/opt/porchlight',
  program: '/opt/porchlight/porchlight-agent',
  unit: '/lib/systemd/system/porchlight-agent.service',
  autostart: '/etc/xdg/autostart/porchlight.desktop',
  link: '/usr/share/applications/porchlight.desktop',
  /** What it needs to know before it starts; the code that it is linked by, or the name of the package with the code in it, lies there until it was used. */
  settings: '/etc/porchlight/agent.env',
  code: '/etc/porchlight/code',
  state: '/var/lib/porchlight-agent',
} as const;
