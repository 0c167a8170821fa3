import { actKind } from '@porchlight/contract/care.ts';
import { describe, expect, test } from 'vitest';
import { fitsOneSms } from '../../lib/sms-text.ts';
import { guardianActEmail, guardianActSms, guardianReads, holderActEmail, holderActSms, removedSms, togetherSms } from './activity.ts';
import { guardianDrillSms, holderDrillSms } from './drill.ts';
import { silenceSms } from './outage.ts';

const names = ['Ann', 'Łucja-Małgorzata-Aleksandra-Wilhelmina-Zuzanna Ćwierć', '李'.repeat(100), 'x'.repeat(100)];
/** No number has more digits (E.164). */
const longestNumber = '+881234567890123';
const time = new Date('2026-11-21T14:05:00Z');
const wordsOf = (text: string) => (text.split('Nobody from Porchlight')[0] ?? '').split(/\s+/).length;

describe.each(names)('with the name %s', (name) => {
  test.each(actKind.options)('%s: a text of one message that ends with what to do, and mails under 90 words', (kind) => {
    const act = { kind, device: name, what: name, time, time_zone: 'UTC' };
    const text = guardianActSms(act, name);
    expect(fitsOneSms(text), text).toBe(true);
    expect(text).toMatch(/ Not expected\? Call .+\.$/);
    for (const at of [name.slice(0, 40), '']) {
      const there = { ...act, person: { name: at, phone_number: longestNumber, is_holder: false } };
      for (const said of [guardianActSms(there, name), holderActSms(there)]) {
        expect(fitsOneSms(said), said).toBe(true);
        expect(said).toMatch(/ Not expected\? Call .+: \+881234567890123\.$/);
      }
    }
    for (const letter of [
      guardianActEmail(act, name, 'https://x.example/g'),
      holderActEmail(act, { dashboard: 'https://x.example/d', uuid: 'u' }),
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
      silenceSms({ ...silent, kind: 'vanished' }, null),
      silenceSms({ ...silent, kind: 'stopped' }, name),
      togetherSms(Array(115).fill({ late: false }), guardianReads([], name)),
      guardianActSms({ kind: 'pin_guessed', device: name, what: '', time, time_zone: 'UTC', late: true }, name),
      removedSms(name),
      guardianDrillSms(name),
      holderDrillSms(),
    ];
    for (const text of texts) expect(fitsOneSms(text ?? ''), text ?? '').toBe(true);
  });
});

test('a computer that was switched off is no matter for a text', () => {
  expect(
    silenceSms({ uuid: '', account: '', name: 'Den PC', person: null, time_zone: 'UTC', since: time, kind: 'switched_off' }, 'Ann'),
  ).toBeNull();
});
