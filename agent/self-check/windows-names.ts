import { marks } from '../lib/marked-lines.ts';
import { type NameLookUp, playNames, resolvesOpenSite } from './name-rows.ts';
import { restartRow } from './restart-row.ts';
import { evidenceOf, failed, notPlayed, type PlayedRow, passed, playCommand, powershell, type RowTools } from './rows.ts';
import { leafOf, registryKeys, servicePid } from './windows-parse.ts';

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

export const windowsNameRows: PlayedRow[] = [
  {
    ...{ how: 'played', number: 12, part: 'rule', needs: ['service'], limitSeconds: 10 },
    step: 'Read the policy table for names.',
    expected: 'One rule for all names leads to 127.0.0.1.',
    async play(tools) {
      const { evidence, rule, isRead, hasHostsLines } = await readRule(tools);
      if (!isRead) return notPlayed(`This output is unknown, so it proves nothing.\n${evidence}`);
      if (!rule && hasHostsLines) return notPlayed('Another program has the DNS port, and the hosts file is used: see row 15.');
      if (!rule) return failed(`There is no rule of Porchlight, and no line of it in the hosts file.\n${evidence}`);
      const [firstServer] = (rule.values.get('genericdnsservers') ?? '').split(';');
      return rule.values.get('name') === '.' && firstServer === '127.0.0.1' ? passed(evidence) : failed(evidence);
    },
  },
  {
    ...{ how: 'played', number: 12, part: 'servers behind', needs: ['service'], limitSeconds: 20 },
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
  {
    ...{ how: 'played', number: 12, part: 'names', needs: ['service'], limitSeconds: 30 },
    step: 'Look up a site of the list, and example.org.',
    expected: 'The site has no address, and example.org has one.',
    play: (tools) => playNames(tools, windowsNames),
  },
  restartRow({
    number: 13,
    mainPid: async ({ system }) => servicePid((await system.run('sc', 'queryex', 'Porchlight')).output),
    resolves: (tools) => resolvesOpenSite(tools, windowsNames),
    startService: ({ system }) => system.run('sc', 'start', 'Porchlight'),
  }),
  {
    ...{ how: 'played', number: 15, part: 'hosts file', needs: ['service'], limitSeconds: 10 },
    step: 'While another program has the DNS port, read the hosts file.',
    expected: 'The hosts file has the lines of Porchlight.',
    async play(tools) {
      const { evidence, rule, isRead, hasHostsLines } = await readRule(tools);
      if (!isRead) return notPlayed(`This output is unknown, so it proves nothing.\n${evidence}`);
      if (rule && hasHostsLines) return failed(`There is a rule, and the hosts file still has lines of Porchlight.\n${evidence}`);
      if (rule) return notPlayed('No other program has the DNS port, so the hosts file is not used.');
      return hasHostsLines ? passed('There is no rule, and the hosts file has the lines of Porchlight.') : failed(evidence);
    },
  },
];
