import { fakeMac } from './mac-native.ts';

export interface FakeNetworkService {
  /** DNS servers set by hand; they override those in `given`. */
  manual: string[];
  given: string[];
  /** True for a service that networksetup does not know, such as another program's VPN. */
  hidden?: boolean;
  off?: boolean;
}

/** Fakes scutil and networksetup; the first connected service is the primary one. */
export function macNetwork(services: Record<string, FakeNetworkService>) {
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
      const matchingKeys = [...store().keys()].filter((key) => new RegExp(`^${pattern}$`).test(key));
      return matchingKeys.length ? matchingKeys.map((key, n) => `  subKey [${n}] = ${key}\n`).join('') : '  no keys\n';
    });
  const dns = () => {
    const { manual, given } = Object.values(services)[primary()] ?? { manual: [], given: [] };
    const servers = (manual.length ? manual : given).map((server, n) => `  nameserver[${n}] : ${server}\n`).join('');
    return `DNS configuration\n\nresolver #1\n${servers}\nresolver #2\n  domain : local\n  nameserver[0] : 192.0.2.99\n`;
  };
  const networksetup = (verb: string, argument: string) => {
    const shown = entries().filter(([, { hidden }]) => !hidden);
    if (verb === 'listallnetworkservices')
      return {
        out: `An asterisk (*) denotes that a network service is disabled.\n${shown.map(([name, { off }]) => `${off ? '*' : ''}${name}\n`).join('')}`,
      };
    const [name, service] = shown.find(([one]) => argument.startsWith(one)) ?? [];
    if (!name || !service)
      return { code: 4, out: `${argument} is not a recognized network service.\n** Error: The parameters were not valid.\n` };
    const { manual } = service;
    if (verb === 'getdnsservers')
      return { out: manual.length ? `${manual.join('\n')}\n` : `There aren't any DNS Servers set on ${name}.\n` };
    const set = argument.slice(name.length + 1);
    service.manual = set === 'Empty' ? [] : set.split(' ');
    return {};
  };
  const native = fakeMac((line, input) => {
    if (line === '/usr/sbin/scutil') return { out: scutil(input).join('') };
    if (line === '/usr/sbin/scutil --dns') return { out: dns() };
    const [, verb = '', argument = ''] = /^\/usr\/sbin\/networksetup -(\S+) ?(.*)$/.exec(line) ?? [];
    return networksetup(verb, argument);
  });
  return { services, native };
}
