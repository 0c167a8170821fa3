import { hasMarked } from '@porchlight/agent/lib/marked-lines.ts';
import { asked, evidenceOf, failed, notPlayed, outcomeOf, passed, playCommand, type Row, type RowTools } from './rows.ts';
import { browserOutcome, connectedRow, type NameLookUp, namesRow, resolvesOpenSite, restartRow } from './shared-rows.ts';
import { toolRows } from './tool-rows.ts';

const unit = 'porchlight-agent.service';
/** The bits of the eight capabilities of the unit in /proc: CHOWN, DAC_READ_SEARCH, KILL, SETGID, SETUID, NET_BIND_SERVICE, NET_ADMIN, SYS_PTRACE. */
const unitCapabilities = [0, 2, 5, 6, 7, 10, 12, 19].reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n);
const menuFile = '/usr/share/applications/porchlight.desktop';
const refusals = 'EPERM|EACCES|Operation not permitted|Permission denied|status=31/SYS';
const dropIn = '/etc/systemd/resolved.conf.d/porchlight.conf';
const policyFolders = [
  ['Chrome', '/etc/opt/chrome/policies'],
  ['Edge', '/etc/opt/edge/policies'],
  ['Brave', '/etc/brave/policies'],
  ['Chromium', '/etc/chromium/policies'],
] as const;
const firefoxFiles = [
  '/etc/firefox/policies/policies.json',
  ...['/usr/lib/firefox-esr', '/usr/lib/firefox', '/usr/lib64/firefox', '/opt/firefox'].map(
    (folder) => `${folder}/distribution/policies.json`,
  ),
];

const linuxNames: NameLookUp = {
  command: (name) => ['getent', 'ahostsv4', name],
  // 2: there is no such name.
  read({ code, output }) {
    if (code === 2) return [];
    const addresses = [...output.matchAll(/^([\d.]+)\s/gm)].map(([, address = '']) => address);
    return code === 0 && addresses.length > 0 ? addresses : null;
  },
};

async function mainPid({ system }: RowTools): Promise<number | null> {
  const { output } = await system.run('systemctl', 'show', '-p', 'MainPID', unit);
  const pid = Number(/^MainPID=(\d+)$/m.exec(output)?.[1] ?? 0);
  return pid > 0 ? pid : null;
}

const played: Row[] = [
  {
    ...{ number: 1, part: 'service', needs: ['service'], limitSeconds: 10 },
    step: 'Ask systemd for the service.',
    expected: 'It is active and running.',
    play: (tools) =>
      playCommand(tools, ['systemctl', 'show', '-p', 'ActiveState', '-p', 'SubState', unit], (output) => {
        const [state, below] = [/^ActiveState=(\w+)$/m.exec(output)?.[1], /^SubState=(\w+)$/m.exec(output)?.[1]];
        return state === undefined || below === undefined ? null : state === 'active' && below === 'running';
      }),
  },
  {
    ...{ number: 2, part: 'exposure', needs: ['service'], limitSeconds: 20 },
    step: 'Let systemd rate what the service could do.',
    expected: 'Below 4.5.',
    play: (tools) =>
      playCommand(tools, ['systemd-analyze', 'security', '--no-pager', unit], (output) => {
        const level = /Overall exposure level for \S+: ([\d.]+)/.exec(output)?.[1];
        return level === undefined ? null : Number(level) < 4.5;
      }),
  },
  {
    ...{ number: 2, part: 'log', needs: ['service', 'administrator'], limitSeconds: 20 },
    step: 'Search the log of the service since the start of the computer for refusals.',
    expected: 'There is none.',
    async play({ system }) {
      const { code, output } = await system.run('journalctl', '-u', unit, '-b', '--no-pager', '-o', 'cat', '-g', refusals);
      const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('-- '));
      // The lines themselves may name files of the user. `journalctl -g` ends with 1 when it finds nothing.
      if (code === 0 && lines.length > 0) return failed(`${lines.length} lines with a refusal. Read them with journalctl -u ${unit}.`);
      return code === 1 && lines.length === 0 ? passed('No line with a refusal.') : notPlayed('The log could not be searched.');
    },
  },
  {
    ...{ number: 5, part: 'menu entry', needs: ['service'], limitSeconds: 10 },
    step: 'Read the entry in the menu.',
    expected: 'It opens links of Porchlight.',
    async play({ system }) {
      const text = await system.readText(menuFile);
      if (text === null) return failed(`${menuFile} is missing.`);
      return outcomeOf(/^MimeType=/m.test(text) ? text.includes('x-scheme-handler/porchlight') : null, menuFile);
    },
  },
  {
    ...{ number: 9, part: 'first server', needs: ['service'], limitSeconds: 10 },
    step: 'Read the settings for names.',
    expected: 'Porchlight is the first server.',
    async play({ system }) {
      const [resolved, conf] = [await system.readText(dropIn), await system.readText('/etc/resolv.conf')];
      if (resolved !== null) {
        const servers = /^DNS=(\S.*)$/m.exec(resolved)?.[1];
        return servers?.startsWith('127.0.0.1') ? passed(`${dropIn}: DNS=${servers}`) : failed(`${dropIn} does not begin with 127.0.0.1.`);
      }
      if (conf === null) return notPlayed('/etc/resolv.conf could not be read.');
      const first = /^nameserver\s+(\S+)/m.exec(conf)?.[1];
      const evidence = `/etc/resolv.conf: the first server is ${first ?? 'none'}.`;
      return hasMarked(conf) && first === '127.0.0.1' ? passed(evidence) : failed(evidence);
    },
  },
  namesRow(9, linuxNames),
  {
    ...{ number: 10, part: 'before sleep', needs: ['service'], limitSeconds: 10 },
    step: 'List the programs for which the computer waits before it sleeps.',
    expected: 'Porchlight is one of them.',
    play: (tools) =>
      playCommand(tools, ['systemd-inhibit', '--list', '--no-pager'], (output, code) =>
        code === 0 && /WHO\s+UID|No inhibitors|inhibitors listed/.test(output) ? /^[ \t]*Porchlight\b.*\bsleep\b/m.test(output) : null,
      ),
  },
  {
    ...{ number: 11, part: 'capabilities', needs: ['service'], limitSeconds: 10 },
    step: 'Read what the kernel lets the process of the service do.',
    expected: 'The eight capabilities of the unit, and no other.',
    async play(tools) {
      const pid = await mainPid(tools);
      if (pid === null) return notPlayed('The service has no process.');
      const bounds = /^CapBnd:\s*([0-9a-f]{16})$/m.exec((await tools.system.readText(`/proc/${pid}/status`)) ?? '')?.[1];
      if (bounds === undefined) return notPlayed('The process could not be read.');
      return BigInt(`0x${bounds}`) === unitCapabilities ? passed(`CapBnd ${bounds}`) : failed(`CapBnd ${bounds}`);
    },
  },
  {
    ...{ number: 14, part: 'policies', limitSeconds: 10 },
    step: 'With browsers managed on the dashboard, read the policies of the browsers.',
    expected: 'Four policies are set for Chrome, Edge, Brave and Chromium, and two for Firefox.',
    async play({ system }) {
      const chromium = policyFolders.map(async ([browser, folder]) => ({
        browser,
        text: await system.readText(`${folder}/managed/porchlight.json`),
      }));
      const firefox = await Promise.all(firefoxFiles.map((file) => system.readText(file)));
      const text = firefox.filter((file) => file !== null).join('\n');
      return browserOutcome([...(await Promise.all(chromium)), { browser: 'Firefox', text: text || null }]);
    },
  },
  {
    ...{ number: 15, part: 'nothing left', needs: ['administrator'], limitSeconds: 10 },
    step: 'While the internet is not cut, read the tables of the firewall.',
    expected: 'No table of a cut is left.',
    async play({ system }) {
      const command: [string, ...string[]] = ['nft', 'list', 'tables'];
      const result = await system.run(...command);
      const evidence = evidenceOf(command, result);
      if (result.code !== 0 || !/^(table \S+ \S+\s*)*$/.test(result.output)) return notPlayed(evidence);
      if (!result.output.includes('porchlight_isolation')) return passed(evidence);
      return notPlayed(`The internet is cut right now, or a table is left. Run this again after 15 minutes.\n${evidence}`);
    },
  },
  restartRow({
    number: 6,
    mainPid,
    resolves: (tools) => resolvesOpenSite(tools, linuxNames),
    startService: ({ system }) => system.run('systemctl', 'start', unit),
  }),
];

/** The table “A Linux computer” of docs/release-checks.md. */
export const linuxRows: Row[] = [
  connectedRow(1),
  ...played,
  ...toolRows(3),
  asked(3, 'screen', 'A tool was stopped.', 'The calm screen opened.', 'Did the calm screen of Porchlight open in your browser just now?', [
    'guardian',
  ]),
  asked(3, 'email', 'A tool was stopped.', 'The guardian has the email.', 'Does the guardian have the email about it?', ['guardian']),
  asked(
    5,
    'menu',
    'Open Porchlight in the menu.',
    'Its page opens.',
    'Please open Porchlight in the menu of your desktop. Did its page open in your browser?',
  ),
];
