import { actKind } from '@porchlight/contract/care.ts';
import { describe, expect, test } from 'vitest';
import { fitsOneText } from '../../lib/sms-text.ts';
import {
  guardianActLetter,
  guardianActText,
  guardianReads,
  holderActLetter,
  holderActText,
  removedText,
  togetherText,
} from './activity.ts';
import { guardianDrillText, holderDrillText } from './drill.ts';
import { silenceText } from './outage.ts';

const names = ['Ann', 'Łucja-Małgorzata-Aleksandra-Wilhelmina-Zuzanna Ćwierć', '李'.repeat(100), 'x'.repeat(100)];
/** No number has more digits (E.164). */
const longestNumber = '+881234567890123';
const time = new Date('2026-11-21T14:05:00Z');
const wordsOf = (text: string) => (text.split('Nobody from Porchlight')[0] ?? '').split(/\s+/).length;

describe.each(names)('with the name %s', (name) => {
  test.each(actKind.options)('%s: a text of one message that ends with what to do, and mails under 90 words', (kind) => {
    const act = { kind, device: name, what: name, time, time_zone: 'UTC' };
    const text = guardianActText(act, name);
    expect(fitsOneText(text), text).toBe(true);
    expect(text).toMatch(/ Not expected\? Call .+\.$/);
    for (const at of [name.slice(0, 40), '']) {
      const there = { ...act, person: { name: at, phone_number: longestNumber, is_holder: false } };
      for (const said of [guardianActText(there, name), holderActText(there)]) {
        expect(fitsOneText(said), said).toBe(true);
        expect(said).toMatch(/ Not expected\? Call .+: \+881234567890123\.$/);
      }
    }
    for (const letter of [
      guardianActLetter(act, name, 'https://x.example/g'),
      holderActLetter(act, { dashboard: 'https://x.example/d', uuid: 'u' }),
    ])
      expect(wordsOf(letter.text), letter.text).toBeLessThan(90);
  });

  test('the other texts fit into one message too', () => {
    const silent = {
      uuid: '',
      account: '',
      name,
      person: { name, phone_number: longestNumber, is_holder: false },
      time_zone: 'UTC',
      since: time,
    };
    const texts = [
      silenceText({ ...silent, kind: 'vanished' }, null),
      silenceText({ ...silent, kind: 'stopped' }, name),
      togetherText(Array(115).fill({ late: false }), guardianReads([], name)),
      guardianActText({ kind: 'pin_guessed', device: name, what: '', time, time_zone: 'UTC', late: true }, name),
      removedText(name),
      guardianDrillText(name),
      holderDrillText(),
    ];
    for (const text of texts) expect(fitsOneText(text ?? ''), text ?? '').toBe(true);
  });
});

test('a computer that was switched off is no matter for a text', () => {
  expect(
    silenceText({ uuid: '', account: '', name: 'Den PC', person: null, time_zone: 'UTC', since: time, kind: 'switched_off' }, 'Ann'),
  ).toBeNull();
});
