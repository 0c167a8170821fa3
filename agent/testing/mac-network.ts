import { standInMac } from './mac-native.ts';

export interface StandInService {
  /** Servers set by hand; they are asked in place of those that the network gives. */
  manual: string[];
  /** Servers that its network gives; none while it has no network. */
  given: string[];
  /** Is it none of networksetup's, like what a VPN's own program sets up? */
  hidden?: boolean;
  /** A star stands before its name. */
  off?: boolean;
}

/** Names and networks of a Mac, with scutil and networksetup over them; the first service that has a network is the primary one. */
export function macNetwork(services: Record<string, StandInService>) {
  const list = (key: string, entries: string[]) =>
    `  ${key} : <array> {\n${entries.map((entry, n) => `    ${n} : ${entry}\n`).join('')}  }\n`;
  const dictionary = (...lines: string[]) => `<dictionary> {\n${lines.join('')}}\n`;
  const entries = () => Object.entries(services);
  const primary = () => entries().findIndex(([, { given }]) => given.length > 0);
  const store = () => {
    const keys = new Map<string, string>();
    if (primary() >= 0)
      keys.set('State:/Network/Global/IPv4', dictionary('  PrimaryInterface : en0\n', `  PrimaryService : ID-${primary()}\n`));
    for (const [n, [name, { manual, given }]] of entries().entries()) {
      keys.set(`Setup:/Network/Service/ID-${n}`, dictionary(`  UserDefinedName : ${name}\n`));
      if (manual.length) keys.set(`Setup:/Network/Service/ID-${n}/DNS`, dictionary(list('ServerAddresses', manual)));
      if (given.length) keys.set(`State:/Network/Service/ID-${n}/DNS`, dictionary('  DomainName : home\n', list('ServerAddresses', given)));
    }
    return keys;
  };
  const scutil = (input: string) =>
    input.split('\n').map((line) => {
      const [verb, pattern = ''] = line.split(' ');
      if (verb === 'show') return store().get(pattern) ?? '  No such key\n';
      if (verb !== 'list') return '';
      const found = [...store().keys()].filter((key) => new RegExp(`^${pattern}$`).test(key));
      return found.length ? found.map((key, n) => `  subKey [${n}] = ${key}\n`).join('') : '  no keys\n';
    });
  const dns = () => {
    const { manual, given } = Object.values(services)[primary()] ?? { manual: [], given: [] };
    const servers = (manual.length ? manual : given).map((server, n) => `  nameserver[${n}] : ${server}\n`).join('');
    return `DNS configuration\n\nresolver #1\n${servers}\nresolver #2\n  domain : local\n  nameserver[0] : 192.0.2.99\n`;
  };
  const networksetup = (verb: string, rest: string) => {
    const shown = entries().filter(([, { hidden }]) => !hidden);
    if (verb === 'listallnetworkservices')
      return {
        out: `An asterisk (*) denotes that a network service is disabled.\n${shown.map(([name, { off }]) => `${off ? '*' : ''}${name}\n`).join('')}`,
      };
    const [name, service] = shown.find(([one]) => rest.startsWith(one)) ?? [];
    if (!name || !service)
      return { code: 4, out: `${rest} is not a recognized network service.\n** Error: The parameters were not valid.\n` };
    const { manual } = service;
    if (verb === 'getdnsservers')
      return { out: manual.length ? `${manual.join('\n')}\n` : `There aren't any DNS Servers set on ${name}.\n` };
    const set = rest.slice(name.length + 1);
    service.manual = set === 'Empty' ? [] : set.split(' ');
    return {};
  };
  const native = standInMac((line, input) => {
    if (line === '/usr/sbin/scutil') return { out: scutil(input).join('') };
    if (line === '/usr/sbin/scutil --dns') return { out: dns() };
    const [, verb = '', rest = ''] = /^\/usr\/sbin\/networksetup -(\S+) ?(.*)$/.exec(line) ?? [];
    return networksetup(verb, rest);
  });
  return { services, native };
}
