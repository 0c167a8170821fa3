import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { appControlPolicyId } from '@porchlight/definitions/app-control.ts';
import { describe, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { denied, nothing, windowsComputer } from '../../testing/windows-app-control.ts';
import { registryInMemory } from '../../testing/windows-registry.ts';
import { triedMode } from './app-control.ts';
import { policyId } from './app-control-commands.ts';
import { settingsKey } from './settings.ts';

const versionIn = (text: string | null) => Number(/<VersionEx>10\.0\.0\.(\d+)</.exec(text ?? '')?.[1]);

describe('the switch of the App Control layer', () => {
  it.each([
    [null, undefined, null],
    [null, 'on', 'enforced'],
    [null, 'audit', 'audit'],
    [null, 'yes', null],
    ['on', undefined, 'enforced'],
    ['off', 'on', null],
    [1, undefined, null],
  ])('set to %s in the registry and %s in the environment means %s', (value, variable, mode) => {
    const registry = registryInMemory();
    if (value !== null) registry.write(settingsKey, 'AGENT_TRY_UNSEEN', value);
    expect(triedMode(registry, variable === undefined ? {} : { AGENT_TRY_UNSEEN: variable })).toBe(mode);
  });

  it('off, starts no program, and writes nothing', async () => {
    const { layer, state, registry, folder } = await windowsComputer({ mode: null });
    expect(layer.isOn).toBe(false);
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    for (const reason of ['killed', 'stopped', 'shutdown', 'removed'] as const) await layer.restore(reason);
    expect([state.commands, registry.values(settingsKey), existsSync(folder)]).toEqual([[], [], false]);
  });
});

describe('the App Control layer', () => {
  it('has the same GUID as the policies', () => {
    expect(policyId).toBe(appControlPolicyId);
  });

  it.each([
    ['enforced', false],
    ['audit', true],
  ] as const)('in the mode %s, applies a policy that only records: %s', async (mode, onlyRecords) => {
    const { layer, state, inForce } = await windowsComputer({ mode });
    layer.deny(denied('AnyDesk.exe'));
    expect(state.commands).toEqual([]);
    await layer.settled();
    expect(state.commands).toEqual(['powershell.exe', 'CiTool.exe --update-policy']);
    expect(inForce()).toContain('FileName="AnyDesk.exe"');
    expect(inForce()?.includes('Enabled:Audit Mode')).toBe(onlyRecords);
  });

  it('runs nothing when the same is denied again, also after a restart of the agent, and all of it when the file is gone', async () => {
    const { layer, agent, state, active } = await windowsComputer();
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    const second = agent();
    await second.restore('killed');
    second.deny(denied('AnyDesk.exe'));
    await second.settled();
    expect(state.commands).toHaveLength(2);
    await rm(join(active, `${policyId}.cip`));
    const third = agent();
    third.deny(denied('AnyDesk.exe'));
    await third.settled();
    expect(state.commands).toHaveLength(4);
  });

  it('runs nothing when the same is denied again, also where Windows has the file elsewhere', async () => {
    const { layer, state } = await windowsComputer();
    state.leavesFile = false;
    for (let n = 0; n < 3; n++) {
      layer.deny(denied('AnyDesk.exe'));
      await layer.settled();
    }
    expect(state.commands).toHaveLength(2);
  });

  it('replaces the policy when a tool is allowed, by one with a larger version', async () => {
    const { layer, inForce } = await windowsComputer();
    layer.deny(denied('AnyDesk.exe', 'TeamViewer.exe'));
    await layer.settled();
    const first = inForce();
    layer.deny(denied('TeamViewer.exe'));
    await layer.settled();
    expect(inForce()).not.toContain('AnyDesk.exe');
    expect(inForce()).toContain('TeamViewer.exe');
    expect(versionIn(inForce())).toBeGreaterThan(versionIn(first));
  });

  it('in a pause, denies nothing at once, without PowerShell and without a restart, and again after it', async () => {
    const { layer, state, inForce } = await windowsComputer();
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    const before = versionIn(inForce());
    state.commands.length = 0;
    layer.deny(nothing);
    await layer.settled();
    layer.deny(nothing);
    await layer.settled();
    expect(state.commands).toEqual(['CiTool.exe --update-policy']);
    expect(inForce()).not.toContain('<Deny ');
    expect(versionIn(inForce())).toBeGreaterThan(before);
    const paused = versionIn(inForce());
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    expect(inForce()).toContain('AnyDesk.exe');
    expect(versionIn(inForce())).toBeGreaterThan(paused);
  });

  it('runs nothing for a policy that denies nothing on a computer that never had one', async () => {
    const { layer, state, mark } = await windowsComputer();
    layer.deny(nothing);
    await layer.settled();
    expect([state.commands, mark()]).toEqual([[], null]);
  });

  it('makes one policy of a thousand changes in a row, the last', async () => {
    const { layer, state, inForce } = await windowsComputer();
    for (let n = 0; n < 1000; n++) layer.deny(denied(`tool${n}.exe`));
    await layer.settled();
    expect(state.commands).toEqual(['powershell.exe', 'CiTool.exe --update-policy']);
    expect(inForce()).toContain('tool999.exe');
  });

  it('with a thousand changes during a conversion, runs one conversion at a time, and then only the last', async () => {
    const { layer, state, inForce } = await windowsComputer();
    let open = () => {};
    state.gate = new Promise((resolve) => {
      open = resolve;
    });
    layer.deny(denied('first.exe'));
    await until('the first conversion', () => state.running === 1);
    for (let n = 0; n < 1000; n++) layer.deny(denied(`tool${n}.exe`));
    open();
    state.gate = null;
    await layer.settled();
    expect(state.commands.filter((command) => command === 'powershell.exe')).toHaveLength(2);
    expect(state.most).toBe(1);
    expect(inForce()).toContain('tool999.exe');
  });

  it('quotes a folder with quotation marks for PowerShell', async () => {
    const { layer, state, inForce } = await windowsComputer({ folderName: "Mom's ’data’; calc" });
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    expect(state.scripts[0]).toContain("Mom''s ’’data’’; calc");
    expect(inForce()).toContain('AnyDesk.exe');
  });
});
