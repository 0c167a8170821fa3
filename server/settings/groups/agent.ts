import { check, isWeb, oneOf, type SettingGroup, toggle, wholeNumber } from '../setting.ts';

export const agent = {
  title: 'An agent started by hand',
  intro:
    'For `npm start` and `npm run agent`. An installed agent has the address of its server in its installer, and its service sets the rest. The last three are for tests and for the service.',
  settings: {
    PORCHLIGHT_SERVER: {
      ...check('the address of the server, for example http://192.168.1.20:4380', isWeb),
      without: 'the server on this computer',
      meaning: 'The address of the server that the agent belongs to.',
      example: 'http://192.168.1.20:4380',
    },
    AGENT_SYSTEM: {
      ...oneOf('on', 'off', 'auto'),
      without: 'as `auto`',
      meaning:
        '`auto`: the agent blocks sites on the whole computer where its user may change the DNS settings, as root may, and restores everything when it stops. `on`: the same as --system, which also scans what is on this computer. `off`: the agent leaves the DNS settings alone.',
      example: 'auto',
    },
    AGENT_DATA_DIR: {
      ...check('a folder'),
      without: '`porchlight-agent` in the data folder of its user; with `npm start`, `agent` in `DATA_DIR`',
      meaning: 'The folder of its policy, and of what it has not reported yet.',
      example: '/var/lib/porchlight-agent',
    },
    AGENT_CODE_FILE: {
      ...check('a file'),
      without: 'none',
      meaning: 'A file with the code of the device, or with the name of the installer that contains it. The agent removes it after use.',
      example: '/var/lib/porchlight-agent/code',
    },
    AGENT_LOOPBACK_PORT: {
      ...wholeNumber(0, 65_535, 23_407),
      without: '`23407`',
      meaning: 'The port on this computer at which dashboards find the agent. Dashboards know only the usual one. 0: any free port.',
      example: '23407',
    },
    AGENT_PROCESS_EVENTS: {
      ...toggle,
      without: '`on`',
      meaning: '`off`: on Linux the agent polls for started programs, and does not ask the kernel to report them.',
      example: 'on',
    },
  },
} satisfies SettingGroup;
