import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { answers, denied, type GivenWindows, nothing, windowsComputer } from '../../testing/windows-app-control.ts';
import { untilHandedOver } from './deny-starts.ts';
import { settingsKey } from './settings.ts';

describe('the App Control layer without CiTool', () => {
  it('only records, from the next start of Windows, says so once, and is removed', async () => {
    const { layer, state, inForce, logLines, mark } = await windowsComputer({ ciTool: false });
    for (const name of ['AnyDesk.exe', 'TeamViewer.exe']) {
      layer.deny(denied(name));
      await layer.settled();
    }
    expect(inForce()).toContain('TeamViewer.exe');
    expect(inForce()).toContain('Enabled:Audit Mode');
    expect(logLines).toEqual([expect.stringContaining('only recorded')]);
    await layer.restore('removed');
    expect([inForce(), mark(), state.commands]).toEqual([null, null, ['powershell.exe', 'powershell.exe']]);
  });

  it('is off on a Windows that has room for one policy only', async () => {
    const { layer, state, logLines } = await windowsComputer({ build: 17_763 });
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    expect(state.commands).toEqual([]);
    expect(logLines).toEqual([expect.stringContaining('one policy only')]);
  });
});

describe('a failure of the App Control layer', () => {
  it.each<[string, GivenWindows, Awaited<ReturnType<typeof windowsComputer>>['state']['fails'], RegExp]>([
    ['PowerShell is missing', { powerShell: false }, {}, /PowerShell is not on this computer/],
    ['the edition has no cmdlet', {}, { convert: answers.noCmdlet }, /has no ConvertFrom-CIPolicy$/],
    ['the edition has no module', {}, { convert: answers.noModule }, /has no ConvertFrom-CIPolicy$/],
    ['the cmdlet refuses the XML', {}, { convert: answers.badXml }, /Data at the root level is invalid/],
    ['PowerShell does not answer', {}, { convert: answers.timeout }, /no answer within 60 seconds/],
    ['PowerShell says nothing', {}, { convert: answers.silent }, /PowerShell ended with 7/],
    ['PowerShell writes no file', {}, { convert: { code: 0, out: '' } }, /wrote nothing/],
    ['CiTool refuses', {}, { update: answers.refused }, /OperationResult/],
    ['CiTool refuses with exit code 0', {}, { update: answers.refusedInJsonOnly }, /OperationResult/],
  ])('because %s is logged once in words, leaves no policy, and runs nothing more', async (_why, given, fails, words) => {
    const { layer, state, logLines, inForce, mark } = await windowsComputer(given);
    Object.assign(state.fails, fails);
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    const commands = state.commands.length;
    layer.deny(denied('TeamViewer.exe'));
    await layer.settled();
    expect(logLines).toEqual([expect.stringMatching(words)]);
    expect([inForce(), mark()]).toEqual([null, null]);
    expect(state.commands).toHaveLength(commands);
  });

  it('that cannot be logged, because the disk is full, ends the layer and nothing else', async () => {
    const { layer, state, logLines } = await windowsComputer();
    Object.assign(state, { isDiskFull: true, fails: { convert: answers.timeout } });
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    await layer.restore('stopped');
    expect(logLines).toHaveLength(1);
  });

  it('of a later change removes the policy of before, which may deny what is allowed meanwhile', async () => {
    const { layer, state, logLines, inForce } = await windowsComputer();
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    state.commands.length = 0;
    state.fails.convert = answers.timeout;
    layer.deny(denied('TeamViewer.exe'));
    await layer.settled();
    // Without the update before it, the old policy would deny until Windows restarts.
    expect(state.commands).toEqual(['powershell.exe', 'CiTool.exe --update-policy', 'CiTool.exe --remove-policy']);
    expect(inForce()).toBeNull();
    expect(logLines).toHaveLength(1);
  });

  it('of the removal is logged, deletes the file nevertheless, and the next agent removes it', async () => {
    const { layer, agent, state, logLines, inForce, mark } = await windowsComputer();
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    state.fails.remove = answers.refused;
    await layer.restore('stopped');
    expect(logLines).toEqual([expect.stringContaining('could not be removed')]);
    expect(inForce()).toBeNull();
    expect(mark()).toBe('off');
    state.fails = {};
    await agent(null).restore('killed');
    expect(mark()).toBeNull();
  });
});

describe('the end of the App Control layer', () => {
  it.each([
    ['stopped', true],
    ['removed', true],
    ['shutdown', false],
    ['killed', false],
  ] as const)('when the agent was %s, removes the policy: %s', async (reason, isRemoved) => {
    const { layer, state, inForce, mark, folder } = await windowsComputer();
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    state.commands.length = 0;
    await layer.restore(reason);
    expect(inForce() === null).toBe(isRemoved);
    expect(mark() === null).toBe(isRemoved);
    expect(existsSync(folder)).toBe(!isRemoved);
    expect(state.commands).toEqual(isRemoved ? ['CiTool.exe --update-policy', 'CiTool.exe --remove-policy'] : []);
  });

  it('removes the policy of a crashed agent by its GUID, also when the switch is off and the settings are gone', async () => {
    const { layer, agent, registry, inForce } = await windowsComputer();
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    registry.removeKey(settingsKey);
    await agent(null).restore('killed');
    expect(inForce()).toBeNull();
  });

  it('leaves policies of others alone', async () => {
    const { layer, active } = await windowsComputer();
    await writeFile(join(active, '{theirs}.cip'), 'x');
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    await layer.restore('removed');
    expect(readdirSync(active)).toEqual(['{theirs}.cip']);
  });

  it('interrupts a conversion, without a word in the log, and leaves no half policy', async () => {
    const { layer, state, logLines, inForce, mark } = await windowsComputer();
    state.gate = new Promise(() => {});
    layer.deny(denied('AnyDesk.exe'));
    await until('the conversion', () => state.running === 1);
    await layer.restore('stopped');
    expect([inForce(), mark(), logLines, state.running]).toEqual([null, null, [], 0]);
  });

  it('hands the policy over to a successor, which goes on with it although the former agent closes later', async () => {
    const { layer, agent, state, inForce } = await windowsComputer();
    const former = untilHandedOver(layer.deny);
    former.deny(denied('AnyDesk.exe'));
    await layer.settled();
    state.gate = new Promise(() => {});
    former.deny(denied('old.exe'));
    await until('the conversion of the former agent', () => state.running === 1);
    former.handOver();
    await layer.handOver();
    state.gate = null;
    const successor = agent();
    successor.deny(denied('TeamViewer.exe'));
    former.deny(nothing);
    await Promise.all([layer.settled(), successor.settled()]);
    expect(inForce()).toContain('TeamViewer.exe');
  });

  it('interrupted while Windows takes a policy, is done again by the next agent, even with the policy of before', async () => {
    const { layer, agent, state } = await windowsComputer();
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    Object.assign(state, { gate: new Promise(() => {}), waits: 'CiTool' });
    layer.deny(denied('TeamViewer.exe'));
    await until('the update', () => state.running === 1 && state.commands.at(-1)?.includes('CiTool'));
    await layer.handOver();
    state.gate = null;
    const next = agent();
    next.deny(denied('AnyDesk.exe'));
    await next.settled();
    expect(state.commands.filter((command) => command === 'powershell.exe')).toHaveLength(3);
  });

  it('finishes what a crash interrupted between two commands', async () => {
    const { layer, agent, registry, state, inForce } = await windowsComputer();
    layer.deny(denied('AnyDesk.exe'));
    await layer.settled();
    registry.write(settingsKey, 'AppControl', 'unfinished');
    const next = agent();
    await next.restore('killed');
    next.deny(denied('AnyDesk.exe'));
    await next.settled();
    expect(state.commands.filter((command) => command === 'powershell.exe')).toHaveLength(2);
    expect(inForce()).toContain('AnyDesk.exe');
  });
});
