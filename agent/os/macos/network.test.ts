import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { fakeMac } from '../../testing/mac-native.ts';
import { until } from '../../testing/until.ts';
import { anchor, isolationRules, macosNetwork, timerArgs } from './network.ts';

const servers = [
  { address: '192.0.2.1', port: 443 },
  { address: '2001:db8::1', port: 8443 },
];

interface Pf {
  rules: string;
  /** The tokens by which pf is enabled. */
  tokens: string[];
  calls: string[];
  mainRules: string;
  fails: string;
}

/** A Mac with the packet filter in memory. */
async function mac() {
  const file = join(await temporaryFolder(), 'isolation');
  const pf: Pf = { rules: '', tokens: [], calls: [], mainRules: 'anchor "com.apple/*" all\n', fails: 'nothing' };
  const answer = (call: string, input: string): { code?: number; out?: string } => {
    pf.calls.push(call);
    if (call.startsWith(pf.fails)) return { code: 1, out: 'pfctl: it does not' };
    if (call === '-s rules') return { out: pf.mainRules };
    if (call === '-s info')
      return { out: `Status: ${pf.tokens.length ? 'Enabled for 0 days 00:00:07' : 'Disabled'}           Debug: Urgent\n` };
    if (call === `-a ${anchor} -s rules`) return { out: pf.rules };
    if (call === '-E') return { out: `pf enabled\nToken : ${pf.tokens.push(String(100 + pf.calls.length)) && pf.tokens.at(-1)}\n` };
    if (call.startsWith('-X')) pf.tokens = pf.tokens.filter((token) => token !== call.slice(3));
    if (call === `-a ${anchor} -f -`) pf.rules = input;
    if (call === `-a ${anchor} -F rules`) pf.rules = '';
    return {};
  };
  const native = fakeMac((line, input) => {
    const [, call] = /2>&1 \/sbin\/pfctl (.*)$/.exec(line) ?? [];
    if (call === undefined) pf.calls.push('the timer');
    return call === undefined ? {} : answer(call, input);
  });
  return { pf, file, network: macosNetwork(native, { root: true, file }) };
}

describe('[P10.6] the rules for a Mac', () => {
  it('let loopback, each server in both directions, and the network itself pass, and block the rest last', () => {
    const lines = isolationRules(servers).trim().split('\n');
    expect(lines[0]).toBe('pass quick on lo0 all flags any no state');
    expect(lines).toContain('pass out quick inet proto tcp from any to 192.0.2.1 port 443 flags any no state');
    expect(lines).toContain('pass in quick inet6 proto tcp from 2001:db8::1 port 8443 to any flags any no state');
    expect(lines).toContain('pass quick inet proto udp from any port 68 to any port 67 no state');
    expect(lines.at(-1)).toBe('block drop quick all');
    expect(lines.filter((line) => line.startsWith('block'))).toHaveLength(1);
    expect(isolationRules([])).not.toContain('proto tcp');
  });

  it('are loaded after the timer was started, and existing connections end', async () => {
    const { pf, network, file } = await mac();
    await network.isolate(servers, 900_000);
    expect(pf.rules).toBe(isolationRules(servers));
    expect(pf.calls).toEqual(['-s rules', '-E', 'the timer', `-a ${anchor} -f -`, '-F states', `-a ${anchor} -s rules`]);
    expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f-]{36} \d+\n$/);
    await network.restore();
    expect([pf.rules, pf.tokens, existsSync(file)]).toEqual(['', [], false]);
    const callsBefore = pf.calls.length;
    await network.restore();
    expect(pf.calls).toHaveLength(callsBefore);
  });

  it('are replaced without leaving the packet filter enabled for good', async () => {
    const { pf, network } = await mac();
    await network.isolate(servers, 900_000);
    await network.isolate(servers.slice(0, 1), 500_000);
    expect(pf.rules).toBe(isolationRules(servers.slice(0, 1)));
    expect(pf.tokens).toHaveLength(1);
    await network.restore();
    expect(pf.tokens).toEqual([]);
  });

  it.each([['-a'], ['-F'], ['-E']])('are not there after pfctl %s has failed', async (fails) => {
    const { pf, network } = await mac();
    pf.fails = fails;
    await expect(network.isolate(servers, 900_000)).rejects.toThrow('pfctl: it does not');
    pf.fails = 'nothing';
    await network.restore();
    expect([pf.rules, pf.tokens]).toEqual(['', []]);
  });

  it.each<[string, (pf: Pf) => unknown]>([
    ['pfctl -a … -F rules', (pf) => (pf.rules = '')],
    ['pfctl -a … -f - with other rules', (pf) => (pf.rules = 'pass all\n')],
    ['pfctl -d', (pf) => (pf.tokens = [])],
    ['pfctl -F rules, after which nothing calls them', (pf) => (pf.mainRules = '')],
  ])('are not in force any more after %s', async (_command, change) => {
    const { pf, network } = await mac();
    await network.isolate(servers, 900_000);
    expect(await network.inForce()).toBe(true);
    change(pf);
    expect(await network.inForce()).toBe(false);
  });

  it('are not loaded where nothing would call them', async () => {
    const { pf, network } = await mac();
    pf.mainRules = 'pass all\n';
    await expect(network.isolate(servers, 900_000)).rejects.toThrow('pf.conf');
    expect(pf.tokens).toEqual([]);
  });

  it.each([
    ['by its clock', Date.now() - 1000, 900_000],
    ['by counting, where the clock was set back', Date.now() + 86_400_000, 0],
  ])('are removed by the timer without the agent, %s, but not the rules of a later isolation', async (_how, endsAt, ms) => {
    const folder = await temporaryFolder();
    const [program, calls] = [join(folder, 'pfctl'), join(folder, 'calls')];
    writeFileSync(program, `#!/bin/sh\necho "$*" >> "${calls}"\n`);
    chmodSync(program, 0o755);
    const timer = (id: string, file: string) => spawnSync('sh', timerArgs(program, endsAt, ms, id, file), { timeout: 10_000 });
    const [later, own] = [join(folder, 'later file'), join(folder, 'own file')];
    writeFileSync(later, 'another 12\n');
    writeFileSync(own, 'mine 34\n');
    expect(timer('mine', later).status).toBe(0);
    expect(timer('mine', own).status).toBe(0);
    await until('the removal', () => !existsSync(own));
    expect(readFileSync(calls, 'utf8')).toBe(`-a ${anchor} -F rules\n-X 34\n`);
    expect(existsSync(later)).toBe(true);
  });
});
