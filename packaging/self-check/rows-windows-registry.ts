import { marks } from '@porchlight/agent/lib/marked-lines.ts';
import { evidenceOf, failed, notPlayed, outcomeOf, passed, playCommand, powershell, type Row, type RowTools } from './rows.ts';
import { type NameLookUp, namesRow, playPolicies, resolvesOpenSite, restartRow } from './shared-rows.ts';
import { playDeniedStart } from './tool-rows.ts';
import { leafOf, registryKeys, restartsThreeTimes, servicePid } from './windows-parse.ts';

const serviceKey = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\Porchlight';
const safeModeKeys = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\SafeBoot\\Network';
const imageOptions = 'HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options';
const linkCommand = 'HKLM\\SOFTWARE\\Classes\\porchlight\\shell\\open\\command';
const policies = 'HKLM\\SOFTWARE\\Policies';
const policyKeys = [
  ['Chrome', 'Google\\Chrome'],
  ['Edge', 'Microsoft\\Edge'],
  ['Brave', 'BraveSoftware\\Brave'],
  ['Firefox', 'Mozilla\\Firefox'],
] as const;

/** Windows does not work without these, whatever a definition says. */
const neverDenied = new Set(
  ['explorer', 'svchost', 'lsass', 'services', 'winlogon', 'csrss', 'smss', 'wininit', 'dwm', 'taskmgr', 'cmd', 'powershell', 'conhost']
    .concat(['msedge', 'msiexec', 'rundll32', 'dllhost', 'consent', 'regedit', 'reg', 'sc', 'net', 'userinit', 'logonui', 'notepad'])
    .map((name) => `${name}.exe`),
);

const reg = (key: string, ...args: string[]): [string, ...string[]] => ['reg', 'query', key, ...args];

async function markedEntries({ system }: RowTools) {
  const command = reg(imageOptions, '/s');
  const result = await system.run(...command);
  const keys = registryKeys(result.output);
  const marked = keys.filter(({ values }) => values.has('porchlight'));
  const evidence = `Entries of Porchlight: ${marked.length}, of ${keys.length} in all.`;
  return { marked, evidence, isRead: result.code === 0 && keys.length > 0, unread: evidenceOf(command, result) };
}

export const windowsRegistryRows: Row[] = [
  {
    ...{ number: 5, part: 'service', needs: ['service'], limitSeconds: 10 },
    step: 'Read how the service is set up.',
    expected: 'It runs as Local System, starts with Windows, and is restarted after 1000 ms three times.',
    play: (tools) =>
      playCommand(tools, reg(serviceKey), (output) => {
        const values = registryKeys(output).find(({ key }) => leafOf(key) === 'Porchlight')?.values;
        const restarts = restartsThreeTimes(values?.get('failureactions'));
        if (!values?.has('objectname') || !values.has('start') || restarts === null) return null;
        return restarts && values.get('objectname') === 'LocalSystem' && values.get('start') === '0x2';
      }),
  },
  {
    ...{ number: 7, part: 'Safe Mode', needs: ['service'], limitSeconds: 10 },
    step: 'Read which services start in Safe Mode with Networking.',
    expected: 'Porchlight is one of them.',
    // The whole list, because `reg` ends alike for a missing key and an unreadable key.
    play: (tools) =>
      playCommand(tools, reg(safeModeKeys), (output) => {
        const names = registryKeys(output).map(({ key }) => leafOf(key));
        return names.length > 1 ? names.includes('Porchlight') : null;
      }),
  },
  {
    ...{ number: 10, part: 'entries', needs: ['service'], limitSeconds: 15 },
    step: 'Read which programs Windows does not start (Image File Execution Options).',
    expected: 'Each entry of Porchlight leads to it and has its mark, and no program of Windows itself is among them.',
    async play(tools) {
      const { marked, evidence, isRead, unread } = await markedEntries(tools);
      if (!isRead) return outcomeOf(null, unread);
      const needed = marked.filter(({ key }) => neverDenied.has(leafOf(key).toLowerCase()));
      if (needed.length > 0) return failed(`Programs of Windows itself: ${needed.map(({ key }) => leafOf(key)).join(', ')}\n${evidence}`);
      const wrong = marked.filter(({ values }) => !/porchlight-agent\.exe.* --blocked/i.test(values.get('debugger') ?? ''));
      if (wrong.length > 0) return failed(`Entries that do not lead to Porchlight: ${wrong.map(({ key }) => leafOf(key)).join(', ')}`);
      return marked.length > 0 ? passed(evidence) : failed(evidence);
    },
  },
  {
    ...{ number: 10, part: 'start', needs: ['service', 'guardian'], limitSeconds: 30 },
    step: 'Start a harmless program of Windows under the name of a remote-control tool that has an entry.',
    expected: 'It does not start at all.',
    async play(tools) {
      const name = `${tools.toolName}.exe`;
      const { marked, isRead, unread } = await markedEntries(tools);
      if (!isRead) return outcomeOf(null, unread);
      const entry = marked.find(({ key }) => leafOf(key).toLowerCase() === name.toLowerCase());
      if (!entry) return failed(`${name} has no entry of Porchlight.`);
      return playDeniedStart(tools, name);
    },
    undo: ({ system }) => system.cleanUp(),
  },
  {
    ...{ number: 18, part: 'links', limitSeconds: 10 },
    step: 'Read which program opens links of Porchlight.',
    expected: 'It is Porchlight.',
    play: (tools) =>
      playCommand(tools, reg(linkCommand), (output, code) =>
        code === 1 ? false : output.includes('REG_SZ') ? /porchlight-agent\.exe" --open "%1"/i.test(output) : null,
      ),
  },
  {
    ...{ number: 31, part: 'policies', limitSeconds: 20 },
    step: 'With browsers managed on the dashboard, read the policies of Chrome, Edge, Brave and Firefox.',
    expected: 'Four policies are set for each of the first three, and two for Firefox.',
    play: (tools) => playPolicies(tools, policyKeys, (key) => reg(`${policies}\\${key}`, '/s')),
  },
];

const policyTable = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\Dnscache\\Parameters\\DnsPolicyConfig';
const hostsFile = 'C:\\Windows\\System32\\drivers\\etc\\hosts';

const networkServers = powershell(`'SERVERS ' + ((Get-DnsClientServerAddress -AddressFamily IPv4).ServerAddresses -join ' ')`);

/** Prints addresses, or the identifier of the error, which is the same in every language. */
const windowsNames: NameLookUp = {
  command: (name) =>
    powershell(
      `try { 'ADDRESSES ' + ((Resolve-DnsName -Name '${name}' -Type A -ErrorAction Stop | Where-Object { $_.Type -eq 'A' }).IPAddress -join ' ') } catch { 'ERROR ' + $_.FullyQualifiedErrorId }`,
    ),
  read({ output }) {
    const addresses = /^ADDRESSES ([\d. ]*)$/m.exec(output)?.[1];
    if (addresses !== undefined) return addresses.split(' ').filter(Boolean);
    return /^ERROR (DNS_ERROR_RCODE_\w+|DNS_INFO_NO_RECORDS|ERROR_TIMEOUT)/m.test(output) ? [] : null;
  },
};

async function readRule({ system }: RowTools) {
  const command: [string, ...string[]] = ['reg', 'query', policyTable, '/s'];
  const result = await system.run(...command);
  const keys = registryKeys(result.output);
  const hosts = await system.readText(hostsFile);
  return {
    evidence: evidenceOf(command, result),
    rule: keys.find(({ values }) => values.get('comment') === 'Porchlight'),
    isRead:
      result.code === 0
        ? keys.some(({ key }) => leafOf(key) === 'DnsPolicyConfig' || key.includes('DnsPolicyConfig\\'))
        : result.code === 1,
    hasHostsLines: hosts?.includes(marks.begin) ?? false,
  };
}

export const windowsNameRows: Row[] = [
  {
    ...{ number: 12, part: 'rule', needs: ['service'], limitSeconds: 10 },
    step: 'Read the policy table for names.',
    expected: 'One rule for all names leads to 127.0.0.1.',
    async play(tools) {
      const { evidence, rule, isRead, hasHostsLines } = await readRule(tools);
      if (!isRead) return outcomeOf(null, evidence);
      if (!rule && hasHostsLines) return notPlayed('Another program has the DNS port, and the hosts file is used: see row 15.');
      if (!rule) return failed(`There is no rule of Porchlight, and no line of it in the hosts file.\n${evidence}`);
      const [firstServer] = (rule.values.get('genericdnsservers') ?? '').split(';');
      return rule.values.get('name') === '.' && firstServer === '127.0.0.1' ? passed(evidence) : failed(evidence);
    },
  },
  {
    ...{ number: 12, part: 'servers behind', needs: ['service'], limitSeconds: 20 },
    step: 'Compare the servers of the rule with those of the network.',
    expected: 'A server of the network is behind 127.0.0.1, for the time when Porchlight does not run.',
    async play(tools) {
      const { evidence, rule } = await readRule(tools);
      if (!rule) return notPlayed(`There is no rule of Porchlight to compare.\n${evidence}`);
      const behind = (rule.values.get('genericdnsservers') ?? '').split(';').slice(1);
      return playCommand(tools, networkServers, (output) => {
        const servers = (/^SERVERS ([\d. ]*)$/m.exec(output)?.[1] ?? '')
          .split(' ')
          .filter((server) => server && !server.startsWith('127.'));
        return servers.length === 0 ? null : servers.some((server) => behind.includes(server));
      });
    },
  },
  namesRow(12, windowsNames),
  restartRow({
    number: 13,
    mainPid: async ({ system }) => servicePid((await system.run('sc', 'queryex', 'Porchlight')).output),
    resolves: (tools) => resolvesOpenSite(tools, windowsNames),
    startService: ({ system }) => system.run('sc', 'start', 'Porchlight'),
  }),
  {
    ...{ number: 15, part: 'hosts file', needs: ['service'], limitSeconds: 10 },
    step: 'While another program has the DNS port, read the hosts file.',
    expected: 'The hosts file has the lines of Porchlight.',
    async play(tools) {
      const { evidence, rule, isRead, hasHostsLines } = await readRule(tools);
      if (!isRead) return outcomeOf(null, evidence);
      if (rule && hasHostsLines) return failed(`There is a rule, and the hosts file still has lines of Porchlight.\n${evidence}`);
      if (rule) return notPlayed('No other program has the DNS port, so the hosts file is not used.');
      return hasHostsLines ? passed('There is no rule, and the hosts file has the lines of Porchlight.') : failed(evidence);
    },
  },
];
