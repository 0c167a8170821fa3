import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { registryInMemory } from '../../testing/windows-registry.ts';
import { blockRules, type Command, profileKeys, rulesKey, taskXml, windowsNetwork } from './network.ts';

const servers = [
  { address: '192.0.2.1', port: 443 },
  { address: '192.0.2.3', port: 443 },
  { address: '2001:db8::1', port: 443 },
];
const optionsOf = ({ args }: Command) => Object.fromEntries(args.slice(4).map((arg) => arg.split(/=(.*)/s).slice(0, 2)));

/** A Windows whose firewall rules are in the registry. */
async function windowsComputer() {
  const registry = registryInMemory();
  registry.write(rulesKey, 'a', 'v2.30|Action=Allow|Active=TRUE|Dir=Out|Name=Core Networking|');
  const state = { lines: [] as string[], task: '', fails: 'nothing', stuck: false };
  const ours = () => registry.values(rulesKey).filter((name) => name !== 'a');
  const folder = await temporaryFolder();
  const run = async ({ program, args }: Command) => {
    const line = [program, ...args].join(' ');
    state.lines.push(line);
    if (line.includes(state.fails)) return { code: 1, out: 'Nein.\r\n\r\n' };
    if (line.includes('/create')) state.task = readFileSync(args[args.indexOf('/xml') + 1] ?? '', 'utf16le');
    if (line.includes('/delete')) state.task = '';
    if (line.includes('add rule'))
      registry.write(rulesKey, `{${state.lines.length}}`, 'v2.30|Action=Block|Active=TRUE|Name=PorchlightIsolation|');
    if (line.includes('delete rule') && !state.stuck) for (const name of ours()) registry.removeValue(rulesKey, name);
    return { code: 0, out: 'OK.\r\n' };
  };
  const network = windowsNetwork({ registry, service: true, folder: () => folder, run, now: () => Date.UTC(2026, 0, 1, 12) });
  return { registry, state, ours, folder, network };
}

describe('[P10.6] the firewall rules for Windows', () => {
  it('block TCP to everything but the servers and loopback', () => {
    const [tcp] = blockRules(servers).map(optionsOf);
    expect(tcp).toMatchObject({ name: 'PorchlightIsolation', dir: 'out', action: 'block', profile: 'any', protocol: 'tcp' });
    expect(tcp?.remoteip.split(',')).toEqual([
      ...['0.0.0.0-126.255.255.255', '128.0.0.0-192.0.2.0', '192.0.2.2-192.0.2.2', '192.0.2.4-255.255.255.255'],
      ...['0:0:0:0:0:0:0:0-0:0:0:0:0:0:0:0', '0:0:0:0:0:0:0:2-2001:db8:0:0:0:0:0:0'],
      '2001:db8:0:0:0:0:0:2-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    ]);
  });

  it('leave the servers one port, DHCP its ports, and IPv6 its neighbours', () => {
    const rules = blockRules(servers).map(optionsOf);
    expect(rules.find(({ remoteip }) => remoteip === '192.0.2.1,192.0.2.3,2001:db8::1')).toMatchObject({
      protocol: 'tcp',
      remoteport: '0-442,444-65535',
    });
    expect(
      rules.filter(({ protocol }) => protocol === 'udp').map(({ dir, remoteport, localport }) => [dir, remoteport ?? localport]),
    ).toEqual([
      ['out', '0-66,68-546,548-65535'],
      ['in', '0-67,69-545,547-65535'],
    ]);
    expect(rules.filter(({ protocol }) => protocol.startsWith('icmpv6')).map(({ protocol }) => protocol)).toEqual(['icmpv6:128,any']);
    expect(rules.every(({ remoteip }) => !remoteip.includes('127.'))).toBe(true);
  });

  it('without a server block everything but loopback', () => {
    const rules = blockRules([]).map(optionsOf);
    expect(rules).toHaveLength(6);
    expect(rules[0]?.remoteip).toContain('128.0.0.0-255.255.255.255');
  });

  it('come after the task that removes them, which needs no agent', async () => {
    const { state, ours, folder, network } = await windowsComputer();
    await network.isolate(servers, 900_000);
    expect(state.lines[0]).toBe(`schtasks.exe /create /tn PorchlightIsolation /xml ${folder}/isolation.xml /f`);
    expect(state.lines.slice(1).every((line) => line.startsWith('netsh.exe advfirewall firewall add rule name=PorchlightIsolation '))).toBe(
      true,
    );
    expect(ours()).toHaveLength(7);
    expect(state.task).toContain('<StartBoundary>2026-01-01T12:15:00Z</StartBoundary>');
    expect(existsSync(`${folder}/isolation.xml`)).toBe(false);
    await network.restore();
    expect([ours(), state.task]).toEqual([[], '']);
    const linesBefore = state.lines.length;
    await network.restore();
    expect(state.lines).toHaveLength(linesBefore);
  });

  it('are replaced, not added up', async () => {
    const { ours, network } = await windowsComputer();
    await network.isolate(servers, 900_000);
    await network.isolate(servers.slice(0, 1), 500_000);
    expect(ours()).toHaveLength(7);
  });

  it.each([['/create'], ['protocol=udp']])('are gone after a command with %s has failed', async (fails) => {
    const { state, ours, network } = await windowsComputer();
    state.fails = fails;
    await expect(network.isolate(servers, 900_000)).rejects.toThrow('Nein.');
    expect(ours()).toEqual([]);
  });

  it.each<[string, (computer: Awaited<ReturnType<typeof windowsComputer>>) => unknown]>([
    ['netsh advfirewall reset', ({ registry, ours }) => ours().map((name) => registry.removeValue(rulesKey, name))],
    ['one of them was deleted', ({ registry, ours }) => registry.removeValue(rulesKey, ours()[3] ?? '')],
    [
      'one of them was disabled',
      ({ registry, ours }) => registry.write(rulesKey, ours()[0] ?? '', 'v2.30|Action=Block|Active=FALSE|Name=PorchlightIsolation|'),
    ],
    ['the firewall was switched off', ({ registry }) => registry.write(profileKeys[1] ?? '', 'EnableFirewall', 0)],
  ])('are not in force any more after %s', async (_change, change) => {
    const all = await windowsComputer();
    await all.network.isolate(servers, 900_000);
    expect(await all.network.inForce()).toBe(true);
    change(all);
    expect(await all.network.inForce()).toBe(false);
  });

  it('that stay are reported', async () => {
    const { state, network } = await windowsComputer();
    await network.isolate(servers, 900_000);
    state.stuck = true;
    await expect(network.restore()).rejects.toThrow('could not be removed');
  });

  it.each(profileKeys)('are of no use while the firewall is off in %s, which is reported', async (key) => {
    const { registry, network } = await windowsComputer();
    registry.write(key, 'EnableFirewall', 1);
    expect(network.unavailable()).toBeNull();
    registry.write(key, 'EnableFirewall', 0);
    expect(network.unavailable()).toContain('firewall of Windows is off');
  });

  it('are removed by a task of the system account, on battery too, late after sleep, and when Windows starts', () => {
    const xml = taskXml(new Date('2026-01-01T12:15:00.250Z'));
    for (const part of [
      ...['<UserId>S-1-5-18</UserId>', '<BootTrigger>', '<StartWhenAvailable>true<', '<DisallowStartIfOnBatteries>false<'],
      '<Command>%SystemRoot%\\System32\\netsh.exe</Command><Arguments>advfirewall firewall delete rule name=PorchlightIsolation</Arguments>',
      '<Command>%SystemRoot%\\System32\\schtasks.exe</Command><Arguments>/delete /tn PorchlightIsolation /f</Arguments>',
    ])
      expect(xml).toContain(part);
  });
});
