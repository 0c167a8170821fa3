import { minute } from '@porchlight/contract/time.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginSpan, type ClockReading, leftOf, seenSpan } from './span.ts';

const began: ClockReading = { wall: 1_800_000_000_000, up: 500_000, boot: 'a' };
const ten = beginSpan(began, 10 * minute);
const at = (wall: number, up: number, boot = 'a'): ClockReading => ({
  wall: began.wall + wall,
  up: boot === 'a' ? began.up + up : up,
  boot,
});

describe('time left of a span, for a pause and for a lock', () => {
  it.each<[string, ClockReading, number, number]>([
    ['has all of it left when it begins', began, 10, 10],
    ['goes by', at(3 * minute, 3 * minute), 7, 7],
    ['is over at its end', at(10 * minute, 10 * minute), 0, 0],
    ['takes no notice of a clock set back', at(-100 * minute, 3 * minute), 7, 7],
    ['a clock set forward ends a pause and no lock', at(100 * minute, 3 * minute), 0, 7],
    ['goes on by the clock after a restart, a lock by what was seen', at(4 * minute, 0, 'b'), 6, 10],
    ['a clock set back while it was off ends a pause and no lock', at(-minute, 0, 'b'), 0, 10],
    ['a restart shows by the time since it, where the system does not name it', { ...at(4 * minute, 0), up: minute }, 6, 9],
  ])('a span: %s', (_says, readClock, soonest, latest) => {
    expect(leftOf(ten, readClock, 'soonest')).toBe(soonest * minute);
    expect(leftOf(ten, readClock, 'latest')).toBe(latest * minute);
  });

  it('a span never makes a pause longer or a lock shorter than the computer’s running time, whatever the clock says', () => {
    const step = fc.record({
      ran: fc.integer({ min: 0, max: 5 * minute }),
      wall: fc.integer({ min: -1e9, max: 1e9 }),
      restart: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let [pause, lock, now, ran, boot] = [ten, ten, began, 0, 0];
        for (const { ran: elapsed, wall, restart } of steps) {
          now = { wall: now.wall + elapsed + wall, up: now.up + elapsed, boot: now.boot };
          ran += elapsed;
          [pause, lock] = [seenSpan(pause, now, 'soonest'), seenSpan(lock, now, 'latest')];
          expect(leftOf(pause, now, 'soonest')).toBeLessThanOrEqual(Math.max(0, 10 * minute - ran));
          expect(leftOf(lock, now, 'latest')).toBeGreaterThanOrEqual(Math.max(0, 10 * minute - ran));
          if (restart) now = { ...now, up: 0, boot: `after ${boot++}` };
        }
      }),
    );
  });
});
