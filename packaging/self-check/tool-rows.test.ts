import { describe, expect, it } from 'vitest';
import type { Row, RowTools } from './rows.ts';
import { windowsRegistryRows } from './rows-windows-registry.ts';
import { restartRow } from './shared-rows.ts';
import { type FakeProgram, fakeSystem, toolsFor } from './testing/fake-system.ts';
import { toolRows } from './tool-rows.ts';

const [harmlessRow, ownNameRow, renamedRow] = toolRows(9) as [Row, Row, Row];
const startRow = windowsRegistryRows.find(({ part }) => part === 'start') as Row;

async function play(row: Row, platform: 'win32' | 'linux', programs: Record<string, FakeProgram>, tools: Partial<RowTools> = {}) {
  const entry = 'HKEY_LOCAL_MACHINE\\Image File Execution Options\\AnyDesk.exe\r\n    Porchlight    REG_DWORD    0x1\r\n';
  const system = fakeSystem(platform, [['Image File', entry]]);
  for (const [name, program] of Object.entries(programs)) system.programs.set(name, program);
  const outcome = await row.play({ ...toolsFor(system), ...tools });
  const leftBefore = system.running.size;
  await row.undo?.({ ...toolsFor(system), ...tools });
  return { ...outcome, leftBefore, left: system.running.size + system.copies.size };
}

describe('a remote-control tool under its own name', () => {
  it('ended within half a second is as expected, and the number is in the evidence', async () => {
    const outcome = await play(ownNameRow, 'linux', { AnyDesk: { livesMs: 120 } });
    expect(outcome).toMatchObject({ verdict: 'held', left: 0 });
    expect(outcome.evidence).toContain('120 ms');
  });

  it('ended later is not as expected', async () => {
    expect(await play(ownNameRow, 'linux', { AnyDesk: { livesMs: 800 } })).toMatchObject({ verdict: 'not_held', left: 0 });
  });

  it('that nobody ends is not as expected, and is ended by the self-check', async () => {
    expect(await play(ownNameRow, 'linux', {})).toMatchObject({ verdict: 'not_held', leftBefore: 2, left: 0 });
  });

  it('proves nothing where the harmless program beside it ends too', async () => {
    const programs = { AnyDesk: { livesMs: 20 }, 'holiday-photos': { livesMs: 20 } };
    expect(await play(ownNameRow, 'linux', programs)).toMatchObject({ verdict: 'not_played', left: 0 });
  });

  it('on Windows never ran when it printed nothing and ended well, whatever the lifetime of what Windows started in its place', async () => {
    const outcome = await play(ownNameRow, 'win32', { 'AnyDesk.exe': { livesMs: 900, code: 0 } });
    expect(outcome).toMatchObject({ verdict: 'held' });
    expect(outcome.evidence).toContain('did not start at all');
    expect(await play(ownNameRow, 'win32', { 'AnyDesk.exe': { livesMs: 900, output: 'Pinging' } })).toMatchObject({ verdict: 'not_held' });
    expect(await play(ownNameRow, 'win32', { 'AnyDesk.exe': { livesMs: 900, code: 1 } })).toMatchObject({ verdict: 'not_held' });
  });

  it('a renamed download is measured, and its missing output means nothing', async () => {
    const tools = { toolPath: 'C:\\AnyDesk.exe' };
    expect(await play(renamedRow, 'win32', { 'photos.exe': { livesMs: 300 } }, tools)).toMatchObject({ verdict: 'held' });
    expect(await play(renamedRow, 'win32', { 'photos.exe': { livesMs: 900 } }, tools)).toMatchObject({ verdict: 'not_held' });
  });
});

it('a harmless program that goes on is as expected, and one ended by somebody is not', async () => {
  expect(await play(harmlessRow, 'linux', {})).toMatchObject({ verdict: 'held', left: 0 });
  expect(await play(harmlessRow, 'linux', { 'holiday-photos': { livesMs: 100 } })).toMatchObject({ verdict: 'not_held', left: 0 });
});

describe('a tool with an entry in the registry of Windows', () => {
  it('that does not start at all is as expected', async () => {
    expect(await play(startRow, 'win32', { 'AnyDesk.exe': { livesMs: 400, code: 0 } })).toMatchObject({ verdict: 'held', left: 0 });
  });

  it('that was ended before it printed anything is not played, nor where the harmless program prints nothing', async () => {
    expect(await play(startRow, 'win32', { 'AnyDesk.exe': { livesMs: 40, code: 1 } })).toMatchObject({ verdict: 'not_played' });
    const silent = { 'AnyDesk.exe': { livesMs: 40, code: 0 }, 'holiday-photos.exe': { livesMs: null, output: '' } };
    expect(await play(startRow, 'win32', silent)).toMatchObject({ verdict: 'not_played' });
  });

  it('that starts and is ended is not as expected', async () => {
    const outcome = await play(startRow, 'win32', { 'AnyDesk.exe': { livesMs: 100, output: 'Pinging 127.0.0.1' } });
    expect(outcome).toMatchObject({ verdict: 'not_held', left: 0 });
  });

  it('without its entry is not as expected, and is not started', async () => {
    const outcome = await play(startRow, 'win32', {}, { toolName: 'RustDesk' });
    expect(outcome).toMatchObject({ verdict: 'not_held', leftBefore: 0 });
  });
});

describe('the process of the service, ended by force', () => {
  async function restart(change: { backAfter: number | null; resolves: boolean | null }) {
    const system = fakeSystem('linux');
    let isStarted = false;
    const mainPid = async () => {
      if (system.killed.length === 0) return 100;
      return change.backAfter !== null && system.time >= change.backAfter ? 200 : null;
    };
    const row = restartRow({
      ...{ number: 6, mainPid, resolves: async () => change.resolves },
      startService: async () => {
        isStarted = true;
      },
    });
    const outcome = await row.play(toolsFor(system));
    await row.undo?.(toolsFor(system));
    return { ...outcome, isStarted, killed: system.killed };
  }

  it('is back within five seconds while names resolve: as expected, and nothing is to be undone', async () => {
    expect(await restart({ backAfter: 1500, resolves: true })).toMatchObject({ verdict: 'held', isStarted: false, killed: [100] });
  });

  it('is back later, or a name does not resolve meanwhile: not as expected', async () => {
    expect(await restart({ backAfter: 7000, resolves: true })).toMatchObject({ verdict: 'not_held' });
    expect(await restart({ backAfter: 1000, resolves: false })).toMatchObject({ verdict: 'not_held' });
  });

  it('is not back: not as expected, and the self-check starts the service', async () => {
    expect(await restart({ backAfter: null, resolves: true })).toMatchObject({ verdict: 'not_held', isStarted: true });
  });

  it('is back while it is unknown whether a name resolved: not played', async () => {
    expect(await restart({ backAfter: 1000, resolves: null })).toMatchObject({ verdict: 'not_played' });
  });
});
