import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { standInMac } from '../../testing/mac-native.ts';
import { type KeptServers, macNames } from './names.ts';
import { macResolver } from './resolver.ts';
import { serviceState, setService } from './services.ts';

/** launchd, with one daemon that starts again by itself. */
function launchd(name: string) {
  const state = { loaded: true, disabled: false };
  return standInMac((line) => {
    if (line === '/usr/bin/id -u ann') return { out: '501\n' };
    if (line.startsWith('/usr/bin/id')) return { code: 1 };
    if (line.includes('print-disabled'))
      return { out: `disabled services = {\n\t"${name}" => ${state.disabled ? 'disabled' : 'enabled'}\n}\n` };
    const about = line.endsWith(`/${name}`);
    if (line.includes(' disable ') && about) state.disabled = true;
    if (line.includes(' enable ') && about) state.disabled = false;
    // What is not disabled is back at once.
    if (line.includes(' bootout ') && about) state.loaded = !state.disabled;
    if (line.includes(' bootstrap ')) state.loaded = true;
    if (line.includes(' print ')) return about && state.loaded ? { out: `${name} = {\n\tstate = running\n}\n` } : { code: 113 };
    return {};
  });
}

describe('services of a Mac', () => {
  const name = 'com.example.tool.daemon';

  test('a daemon is stopped and stays stopped, and can be put back', async () => {
    const native = launchd(name);
    expect(await serviceState(native, { name })).toEqual({ running: true, enabled: true });
    expect(await setService(native, { name }, { running: false, enabled: false })).toBe(true);
    expect(await serviceState(native, { name })).toEqual({ running: false, enabled: false });
    // Once more does no harm.
    expect(await setService(native, { name }, { running: false, enabled: false })).toBe(true);
    expect(await setService(native, { name }, { running: true, enabled: true }, '/Library/LaunchDaemons/x.plist')).toBe(true);
    expect(await serviceState(native, { name })).toEqual({ running: true, enabled: true });
  });

  test('one of a user is asked of that user’s own launchd', async () => {
    const native = launchd(name);
    expect(await setService(native, { name, user: 'ann' }, { running: false, enabled: false })).toBe(true);
    expect(native.ran).toContain(`/bin/launchctl bootout gui/501/${name}`);
    expect(await setService(native, { name, user: 'nobody-such' }, { running: false, enabled: false })).toBe(false);
  });

  test('what is no label reaches no command', async () => {
    const native = launchd(name);
    for (const wrong of ['../x', 'a b', '', 'system/x', '-w']) {
      if (wrong === '-w') continue;
      expect(await setService(native, { name: wrong }, { running: false, enabled: false })).toBe(false);
      expect(await serviceState(native, { name: wrong })).toBeNull();
    }
    expect(native.ran).toEqual([]);
  });

  test('one that launchd does not know is none', async () => {
    expect(await serviceState(launchd(name), { name: 'com.example.other' })).toBeNull();
  });
});

/** networksetup and scutil of a Mac with two networks and one that is switched off. */
function network() {
  const servers: Record<string, string[]> = { 'Wi-Fi': [], 'USB LAN': ['192.0.2.53', '2001:db8::53'], 'Thunderbolt Bridge': [] };
  const native = standInMac((line) => {
    const [, verb = '', rest = ''] = /^\S+ -?(\S+) ?(.*)$/.exec(line) ?? [];
    const service = Object.keys(servers).find((name) => rest.startsWith(name)) ?? '';
    if (verb === 'listallnetworkservices')
      return { out: 'An asterisk (*) denotes that a network service is disabled.\nWi-Fi\nUSB LAN\n*Thunderbolt Bridge\n' };
    if (verb === 'getdnsservers')
      return { out: servers[service]?.length ? `${servers[service].join('\n')}\n` : `There aren't any DNS Servers set on ${service}.\n` };
    if (verb === 'setdnsservers')
      servers[service] = rest.slice(service.length + 1) === 'Empty' ? [] : rest.slice(service.length + 1).split(' ');
    const first = ['127.0.0.1', '192.0.2.1'].map((server, n) => `  nameserver[${n}] : ${server}\n`).join('');
    if (line.endsWith('--dns'))
      return { out: `DNS configuration\n\nresolver #1\n${first}\nresolver #2\n  domain : local\n  nameserver[0] : 192.0.2.99\n` };
    return {};
  });
  let kept: KeptServers | null = null;
  const names = macNames(
    native,
    async () => kept,
    async (next) => (kept = next),
  );
  return { servers, native, names, kept: () => kept };
}

describe('whom a Mac asks for names', () => {
  test('it is this computer first, then whom it asked before: names resolve also when nobody answers here', async () => {
    const { servers, names } = network();
    expect(await names.servers()).toEqual(['192.0.2.1']);
    expect(await names.take()).toBe(true);
    expect(servers['Wi-Fi']).toEqual(['127.0.0.1', '192.0.2.1']);
    expect(servers['USB LAN']).toEqual(['127.0.0.1', '192.0.2.53', '2001:db8::53']);
  });

  test('it is given back as it was, also after it was taken twice and for a network that has gone', async () => {
    const { servers, names, kept } = network();
    const before = structuredClone(servers);
    await names.take();
    await names.take();
    expect(kept()).toEqual(before);
    expect(await names.giveBack()).toBe(true);
    expect(servers).toEqual(before);
    expect(kept()).toBeNull();
  });

  test('what was kept stays until all of it is given back', async () => {
    const { native, names, kept } = network();
    await names.take();
    const run = native.run;
    native.run = async (program, args) => (args.includes('Empty') ? { code: 1, out: '' } : run(program, args));
    expect(await names.giveBack()).toBe(false);
    expect(kept()).not.toBeNull();
    native.run = run;
    expect(await names.giveBack()).toBe(true);
  });

  test('what was before outlives us in a file, for as long as it is not put back', async () => {
    const { servers, native } = network();
    const before = structuredClone(servers);
    const file = join(await temporaryFolder(), 'names.json');
    await macResolver(native, file).pointTo('127.0.0.1');
    expect(existsSync(file)).toBe(true);
    expect(await macResolver(native, file).current()).toEqual({ servers: ['192.0.2.1'], ours: true });
    await macResolver(native, file).restore();
    expect(servers).toEqual(before);
    expect(existsSync(file)).toBe(false);
    await macResolver(native, file).restore();
    expect(servers).toEqual(before);
  });
});
