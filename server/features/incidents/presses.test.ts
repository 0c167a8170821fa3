import { hour } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { lastLonePress, type OpeningEvent, pressedAlone } from './presses.ts';

const now = new Date('2026-11-25T12:00:00Z');
/** An event some hours ago. */
const at = (hours: number, kind: OpeningEvent['kind'], what: string | null = null, person: string | null = null): OpeningEvent => ({
  ...{ kind, what, person },
  time: new Date(now.getTime() - hours * hour),
});
const press = (hours: number, person = 'bob', kind = 'opened') => at(hours, kind, 'guardian_stop', person);

const incidents: [about: string, open: OpeningEvent[][], alone: boolean][] = [
  ['nothing is open', [], false],
  ['a relative who means no good pressed with nothing going on', [[press(1)]], true],
  ['that relative pressed in an incident of a started program', [[at(2, 'opened', 'started'), press(1)]], false],
  ['a program was started after the press', [[press(2), at(1, 'opened', 'started')]], false],
  ['another guardian pressed', [[press(1, 'carol')]], false],
  ['both guardians pressed', [[press(2), press(1, 'carol')]], false],
  ['the press opened one incident, and a program another', [[press(1)], [at(1, 'opened', 'started')]], false],
  ['the press opened an incident of yesterday again', [[at(30, 'opened', 'started'), at(20, 'over'), press(1, 'bob', 'reopened')]], true],
  ['the press opened an incident again that ended without an answer', [[at(30, 'opened', 'started'), press(1, 'bob', 'reopened')]], true],
  [
    'a device reported late what had happened before the press opened the incident again',
    [[at(30, 'opened', 'started'), at(20, 'over'), at(2, 'opened', 'started'), press(1, 'bob', 'reopened')]],
    false,
  ],
];

test.each(incidents)('[P10.6] whether the presses of one guardian alone opened what is open: %s', (_about, open, alone) => {
  expect(pressedAlone(open, 'bob')).toBe(alone);
});

const histories: [about: string, events: OpeningEvent[][], hoursAgo: number | null][] = [
  ['a guardian who never pressed', [[at(2, 'opened', 'started')]], null],
  ['a guardian who pressed and never answered', [[press(30)]], 30],
  ['a guardian who pressed and ended it', [[press(30), at(29, 'over')]], 30],
  [
    'a guardian who pressed at one computer after another',
    [
      [press(30), at(29, 'over')],
      [press(5), at(4, 'over')],
    ],
    5,
  ],
  ['a guardian who pressed, whereupon another did', [[press(30), at(29, 'over'), press(2, 'carol', 'reopened')]], 30],
  ['a guardian who pressed, whereupon a program was started there', [[press(30), at(29, 'over'), at(2, 'reopened', 'started')]], null],
  ['a guardian who pressed, whereupon somebody asked for help at another computer', [[press(30)], [at(2, 'opened', 'help')]], null],
  ['a guardian who pressed in the incident of a program', [[at(31, 'opened', 'started'), press(30)]], null],
];

test.each(histories)('[P10.6] when a press last opened an incident alone: %s', (_about, events, hoursAgo) => {
  expect(lastLonePress(events, 'bob')).toEqual(hoursAgo === null ? null : new Date(now.getTime() - hoursAgo * hour));
});
