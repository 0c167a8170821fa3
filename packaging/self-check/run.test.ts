import { describe, expect, it } from 'vitest';
import { asked, passed, type Row, type RowTools } from './rows.ts';
import { linuxRows } from './rows-linux.ts';
import { macosRows } from './rows-macos.ts';
import { windowsRows } from './rows-windows.ts';
import { type RunDeps, runRows } from './run.ts';
import { connectedRow } from './shared-rows.ts';
import { type FakeSystem, fakeSystem, toolsFor } from './testing/fake-system.ts';

const head = { step: 'Do it.', expected: 'It works.', limitSeconds: 5 } as const;
const row = (number: number, change: Partial<Row>): Row => ({ ...head, number, play: async () => passed('seen'), ...change });

async function run(rows: Row[], change: Partial<Omit<RunDeps, 'tools'>> & { system?: FakeSystem; tools?: Partial<RowTools> } = {}) {
  const system = change.system ?? fakeSystem('linux');
  const lines: string[] = [];
  const results = await runRows({
    rows,
    agreed: { guardian: false, restart: false },
    signal: new AbortController().signal,
    print: (line) => void lines.push(line),
    ...change,
    tools: { ...toolsFor(system), ...change.tools },
  });
  return { results, lines, system, verdicts: results.map(({ verdict }) => verdict) };
}

describe('the runner of the self-check', () => {
  it('a row prints its number, what was expected and its verdict', async () => {
    const { lines } = await run([row(7, { part: 'service' })]);
    expect(lines).toEqual(['7 (service): HELD. Do it. Expected: It works.']);
  });

  it('a row that throws is not played, its undo runs, and the next row is played', async () => {
    const undone: number[] = [];
    const broken = row(1, {
      play: async () => {
        throw new Error('it broke');
      },
      undo: async () => void undone.push(1),
    });
    const { results, verdicts } = await run([broken, row(2, {})]);
    expect(verdicts).toEqual(['not_played', 'held']);
    expect(results[0]?.evidence).toContain('it broke');
    expect(undone).toEqual([1]);
  });

  it('a row that never ends is ended at its limit, and its undo runs', async () => {
    let undone = false;
    const hanging = row(1, {
      limitSeconds: 0.05,
      play: () => new Promise(() => {}),
      undo: async () => {
        undone = true;
      },
    });
    const { results, verdicts } = await run([hanging, row(2, {})]);
    expect(verdicts).toEqual(['not_played', 'held']);
    expect(results[0]?.evidence).toContain('did not end within 0.05 s');
    expect(undone).toBe(true);
  });

  it('Ctrl+C in a row runs its undo, and no row after it is played', async () => {
    const stopping = new AbortController();
    const played: string[] = [];
    const { results, verdicts } = await run(
      [
        row(1, {
          play: () => {
            stopping.abort();
            return new Promise(() => {});
          },
          undo: async () => void played.push('undo of 1'),
        }),
        row(2, {
          play: async () => {
            played.push('2');
            return passed('');
          },
        }),
      ],
      { signal: stopping.signal },
    );
    expect(verdicts).toEqual(['not_played', 'not_played']);
    expect(results[0]?.evidence).toContain('was stopped during this row');
    expect(played).toEqual(['undo of 1']);
  });

  it('an undo that fails is printed, and does not end the self-check', async () => {
    const { lines, verdicts } = await run([
      row(1, {
        undo: async () => {
          throw new Error('it stays');
        },
      }),
      row(2, {}),
    ]);
    expect(verdicts).toEqual(['held', 'held']);
    expect(lines.join('\n')).toContain('Something could not be put back. The row itself failed: it stays');
  });

  it('an undo ends before what still runs is ended, because it may run commands itself', async () => {
    const system = fakeSystem('linux');
    const order: string[] = [];
    system.cleanUp = async () => void order.push('clean up');
    const undo = async () => {
      await system.run('systemctl', 'start');
      order.push('undo');
    };
    await run([row(1, { undo })], { system });
    expect(order).toEqual(['undo', 'clean up']);
  });

  it('rows that would begin after ten minutes are not played', async () => {
    const system = fakeSystem('linux');
    const slow = row(1, {
      async play() {
        system.time += 596_000;
        return passed('');
      },
    });
    const { verdicts } = await run([slow, row(2, {})], { system });
    expect(verdicts).toEqual(['held', 'not_played']);
  });

  it('a question is answered by yes, by no, or by nobody', async () => {
    const question = asked(1, 'sign', 'It runs.', 'Its sign is there.', 'Do you see it?');
    for (const [answer, verdict] of [
      ['yes', 'held'],
      ['no', 'not_held'],
      ['skip', 'not_played'],
    ] as const) {
      const system = fakeSystem('linux');
      system.answer = answer;
      expect((await run([question], { system })).verdicts).toEqual([verdict]);
    }
  });

  it('a real alert and a kill of the agent each take one consent, and the kill comes last', async () => {
    const order: number[] = [];
    const noted = (number: number, needs: Row['needs'] = []) =>
      row(number, {
        needs,
        play: async () => {
          order.push(number);
          return passed('');
        },
      });
    const rows = [noted(1, ['restart']), noted(2, ['guardian']), noted(3, ['guardian']), noted(4)];
    const { system } = await run(rows);
    expect(order).toEqual([2, 3, 4, 1]);
    expect(system.questions).toHaveLength(2);
    const refused = fakeSystem('linux');
    refused.answer = 'skip';
    expect((await run(rows, { system: refused })).verdicts).toEqual(['not_played', 'not_played', 'held', 'not_played']);
    const agreed = await run(rows, { agreed: { guardian: true, restart: true }, system: fakeSystem('linux') });
    expect(agreed.system.questions).toEqual([]);
    expect(agreed.verdicts).toEqual(['held', 'held', 'held', 'held']);
  });

  it('rows that need an administrator, a service or a download are not played without it', async () => {
    const system = fakeSystem('linux', [['LoadState', 'LoadState=not-found']]);
    system.isAdmin = false;
    const rows = (['administrator', 'service', 'tool'] as const).map((need, n) => row(n + 1, { needs: [need] }));
    expect((await run(rows, { system })).verdicts).toEqual(['not_played', 'not_played', 'not_played']);
    const ready = fakeSystem('linux', [['LoadState', 'LoadState=loaded']]);
    expect((await run(rows, { system: ready, tools: { toolPath: '/tmp/tool' } })).verdicts).toEqual(['held', 'held', 'held']);
  });

  it('the agent’s own state: connected, not connected, on the free plan, of another server', async () => {
    const verdictOf = async (status: RowTools['status']) => (await run([connectedRow(3)], { tools: { status } })).verdicts[0];
    expect(await verdictOf({ g: false, l: true, v: '1.0.0' })).toBe('held');
    expect(await verdictOf({ g: false, l: false, v: '1.0.0' })).toBe('not_held');
    expect(await verdictOf({ g: true, l: true, v: '1.0.0' })).toBe('not_held');
    expect(await verdictOf(null)).toBe('not_played');
  });
});

describe('the rows of each system', () => {
  it.each([
    ['win32', windowsRows],
    ['darwin', macosRows],
    ['linux', linuxRows],
  ] as const)('all rows of %s together, on a computer without any command, hold nowhere and change nothing', async (platform, rows) => {
    const system = fakeSystem(platform);
    system.answer = 'skip';
    const { results, verdicts } = await run(rows, { system });
    expect(results).toHaveLength(rows.length);
    const passedRows = results.filter(({ verdict }) => verdict === 'held').map(({ row: name }) => name);
    expect(passedRows.filter((name) => !/connected|harmless name/.test(name))).toEqual([]);
    expect(verdicts).not.toContain('not_held');
    expect([system.running.size, system.copies.size, system.killed.length]).toEqual([0, 0, 0]);
  });
});
