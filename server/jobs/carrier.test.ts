import { second } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { after } from '../lib/clock.ts';
import { newCarrier } from './carrier.ts';
import { Unsent } from './unsent.ts';

function carrierAway() {
  let now = new Date('2026-11-21T14:05:00.000Z');
  const clock = { now: () => now };
  const carrier = newCarrier({ clock, wake: () => {}, onUnusedTurn: () => {}, onChange: () => {} });
  const fail = () => carrier.begin('bob@one.example').failed(new Unsent('server', 'bob@one.example', 'no connection'), 'job', null);
  expect(fail().verdict).toBe('away');
  return {
    carrier,
    fail,
    turn: (ms: number) => {
      now = after(now, ms);
    },
  };
}

test('[P11.3] a mail server that is away is tried every two seconds, so that an alert leaves within three seconds of its return', () => {
  const { carrier, fail, turn } = carrierAway();
  for (let probe = 0; probe < 5; probe++) {
    turn(2 * second - 1);
    expect(carrier.turn()).toBeNull();
    turn(1);
    expect(carrier.turn()).toMatchObject({ probe: true });
    // One job tries at a time.
    expect(carrier.turn()).toBeNull();
    fail();
  }
  carrier.close();
});

test('[P11.3] a mail server that has been away for ten minutes is tried every fifteen seconds', () => {
  const { carrier, fail, turn } = carrierAway();
  turn(600 * second);
  expect(carrier.turn()).toMatchObject({ probe: true });
  fail();
  turn(15 * second - 1);
  expect(carrier.turn()).toBeNull();
  turn(1);
  expect(carrier.turn()).toMatchObject({ probe: true });
  carrier.close();
});
