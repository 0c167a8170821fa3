/** Nothing goes into /lib or /bin: where these are links, tar would replace them with folders. */
export const layout = {
  folder: '/opt/porchlight',
  program: '/opt/porchlight/porchlight-agent',
  unit: '/usr/lib/systemd/system/porchlight-agent.service',
  menu: '/usr/share/applications/porchlight.desktop',
  icon: '/usr/share/icons/hicolor/scalable/apps/porchlight.svg',
  /**
   * `settings`: a file read before the agent starts. `code`: a file with the device code, or with the package name that contains it, until
   * it is used.
   */
  settings: '/etc/porchlight/agent.env',
  code: '/etc/porchlight/code',
  state: '/var/lib/porchlight-agent',
  /** A copy of the link, so that a deleted state folder does not end the account. */
  backup: '/var/lib/porchlight-link',
} as const;
