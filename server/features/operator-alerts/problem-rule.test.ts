import { minute } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { after } from '../../lib/clock.ts';
import { bad, good, nextStep, type Problem, type Reader, type Reading, unknown } from './problem-rule.ts';

const begin = new Date('2026-11-26T03:00:00Z');
const one: Reader = { name: 'one' };

/** The steps of readings, one every 30 seconds; `-`: none, as of a server that does not run. */
function stepsOf(readings: string, reader: Reader = one): string[] {
  const kinds: Record<string, Reading> = { b: bad('it is away'), g: good, u: unknown };
  let problem: Problem | undefined;
  return Array.from(readings).flatMap((kind, nth) => {
    const reading = kinds[kind];
    if (!reading) return [];
    const step = nextStep(reading, problem, after(begin, nth * 30_000), reader);
    if (step.do === 'store' || step.do === 'begin') problem = step.problem;
    if (step.do === 'forget' || step.do === 'end') problem = undefined;
    return step.do === 'begin' || step.do === 'end' || step.do === 'forget' ? [`${step.do} ${nth}`] : [];
  });
}

test.each([
  ['lasts, and ends', 'bbbbbbbggggg', ['begin 4', 'end 11']],
  ['lasts for less than two minutes', 'bbbbgggg', ['forget 4']],
  ['comes and goes', 'bgbgbgbgbgbg', ['forget 1', 'forget 3', 'forget 5', 'forget 7', 'forget 9', 'forget 11']],
  ['comes back before it was good for two minutes', 'bbbbbggggbggggbggggg', ['begin 4', 'end 19']],
  ['is not known for a while', 'bbuubuuuuggggg', ['begin 4', 'end 13']],
  ['lasts for hours', 'b'.repeat(400), ['begin 4']],
  ['was read once before the server stopped for longer than five minutes', `bb${'-'.repeat(15)}bbbbb`, ['begin 21']],
  ['is never read', 'gggguuuugggg', []],
])('a problem that %s is notified at its begin once and at its end once, or not at all', (_, readings, steps) => {
  expect(stepsOf(readings)).toEqual(steps);
});

test('a problem that must last for 30 seconds begins then, and ends after two good minutes', () => {
  expect(stepsOf('bbbgggggg', { ...one, must_last: 30_000 })).toEqual(['begin 1', 'end 7']);
});

test('a problem that is known to have begun long ago is notified at its first reading, with that time', () => {
  const since = after(begin, -10 * minute);
  expect(nextStep(bad('it is away', since), undefined, begin, one)).toMatchObject({ do: 'begin', problem: { since, notified: begin } });
  expect(nextStep(bad('it is away', after(begin, -minute)), undefined, begin, one)).toMatchObject({
    do: 'store',
    problem: { notified: null },
  });
});

test('the newest reading of a known problem is written down once an hour', () => {
  const problem = { since: begin, notified: begin, good_since: null, detail: 'it is away', read: begin, reader: 'one' };
  expect(nextStep(bad('it is full'), problem, after(begin, 59 * minute), one).do).toBe('nothing');
  const read = after(begin, 60 * minute);
  expect(nextStep(bad('it is full'), problem, read, one)).toEqual({ do: 'store', problem: { ...problem, detail: 'it is full', read } });
});

test('only the server that read its own problem reads its end, until it has not read it for two hours', () => {
  const problem = { since: begin, notified: begin, good_since: begin, detail: 'its key is refused', read: begin, reader: 'one' };
  const stepOf = (reader: Reader, minutes: number) => nextStep(good, problem, after(begin, minutes * minute), reader).do;
  const own = { reads_own: true };
  expect([stepOf({ name: 'one', ...own }, 5), stepOf({ name: 'two', ...own }, 5), stepOf({ name: 'two' }, 5)]).toEqual([
    'end',
    'nothing',
    'end',
  ]);
  expect(stepOf({ name: 'two', ...own }, 121)).toBe('end');
});
