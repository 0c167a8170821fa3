import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nameOf, type Row } from './rows.ts';
import { linuxRows } from './rows-linux.ts';
import { macosRows } from './rows-macos.ts';
import { windowsRows } from './rows-windows.ts';
import { MAX_MS } from './run.ts';
import type { CheckedSystem } from './system.ts';
import { linuxCases, macosCases } from './testing/cases-unix.ts';
import { windowsCases } from './testing/cases-windows.ts';
import { type Case, type FakeCommand, fakeSystem, toolsFor } from './testing/fake-system.ts';

const page = readFileSync(new URL('../../docs/release-checks.md', import.meta.url), 'utf8');
const systems: [CheckedSystem['platform'], string, Row[], Record<string, Case>][] = [
  ['win32', 'A Windows computer', windowsRows, windowsCases],
  ['darwin', 'A Mac', macosRows, macosCases],
  ['linux', 'A Linux computer', linuxRows, linuxCases],
];

/** Rows that start or end programs have tests of their own. */
const isTabled = (row: Row) => row.question === undefined && !row.undo;

describe.each(systems)('the rows of %s', (platform, heading, rows, cases) => {
  it('each row of the document is played here or listed there as by hand, and each row here has one in the document', () => {
    const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
    const numbers = [...section.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(10);
    const played = new Set(rows.map(({ number }) => number));
    expect([...played].filter((number) => !numbers.includes(number))).toEqual([]);
    const listed = new RegExp(`^\\| ${heading.replace(/^A/, 'a')} \\| ([\\d, ]+) \\|$`, 'm').exec(page)?.[1];
    expect(listed).toBe(numbers.filter((number) => !played.has(number)).join(', '));
  });

  it('each row has a name of its own, and all of them together end within ten minutes', () => {
    const names = rows.map(nameOf);
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
    const limits = rows.map(({ limitSeconds }) => limitSeconds * 1000);
    expect(limits.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(MAX_MS);
  });

  it('each row that is played has outputs of each kind', () => {
    expect(Object.keys(cases).toSorted()).toEqual(rows.filter(isTabled).map(nameOf).toSorted());
  });

  const outcome = async (name: string, commands: FakeCommand[], files: Record<string, string> = {}) => {
    const row = rows.filter(isTabled).find((one) => nameOf(one) === name);
    const system = fakeSystem(platform, commands);
    for (const [path, text] of Object.entries(files)) system.files.set(path, text);
    return row?.play(toolsFor(system));
  };
  const tabled = Object.entries(cases).flatMap(([name, one]) => [
    ...one.good.map((given, n) => ({ name, given, n, verdict: 'held' as const, kind: 'good' })),
    ...one.bad.map((given, n) => ({ name, given, n, verdict: 'not_held' as const, kind: 'bad' })),
    ...one.unknown.map((given, n) => ({ name, given, n, verdict: 'not_played' as const, kind: 'unknown' })),
  ]);

  it.each(tabled)('row $name, $kind output $n: $verdict', async ({ name, given, verdict }) => {
    expect(await outcome(name, given.commands ?? [], given.files)).toMatchObject({ verdict });
  });

  it('a row whose commands are absent, or print nothing that is known, never counts as played well', async () => {
    const nothing = rows.filter(isTabled).filter((row) => row.part !== 'connected');
    for (const row of nothing) {
      expect(await outcome(nameOf(row), []), nameOf(row)).not.toMatchObject({ verdict: 'held' });
      expect(await outcome(nameOf(row), [['', '?!', 0]]), nameOf(row)).not.toMatchObject({ verdict: 'held' });
      expect(await outcome(nameOf(row), [['', '?!', 77]]), nameOf(row)).toMatchObject({ verdict: expect.stringMatching(/^not_/) });
    }
  });
});
