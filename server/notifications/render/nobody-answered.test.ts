import { incidentOpener } from '@porchlight/contract/incident-events.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { describe, expect, test } from 'vitest';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { fitsOneSms, inGsm } from '../../texts/sms-text.ts';
import type { NobodyAnsweredFacts } from './nobody-answered.ts';
import { render } from './render.ts';

const ann = { uuid: 'account', name: 'Ann Example', dashboard_url: 'https://x.example/dashboard' };
const bob = { uuid: 'bob', name: 'Bob Example', holder_name: 'Ann Example', link: 'https://x.example/guardian/g/key' };
const facts: NobodyAnsweredFacts = {
  incident: 'one',
  about: 'one:unanswered:1',
  device: 'Den PC',
  person: null,
  opener: 'started',
  what: 'AnyDesk',
  time: new Date('2026-11-21T14:05:00Z'),
  time_zone: 'UTC',
  calls_at: new Date('2026-11-21T14:11:00Z'),
};
const messagesOf = (more: Partial<NobodyAnsweredFacts> = {}) => {
  const { toHolder, toGuardian } = render({ kind: 'nobody_answered', facts: { ...facts, ...more } });
  return { holder: toHolder(ann), guardian: toGuardian(bob) };
};
const mum = { name: 'Mum', phone_number: '+12025550143', is_holder: false };

describe('the second round of messages', () => {
  test('a guardian reads what happened, that nobody has answered, whom to call and when we start to call [P11.1]', () => {
    const { email } = messagesOf({ person: mum }).guardian;
    expect(email?.text).toContain('Nobody has answered yet about Den PC.');
    expect(email?.text).toContain('Call Mum: +1 202 555 0143');
    expect(email?.text).toContain('AnyDesk was started on Den PC.');
    expect(email?.text).toContain('We wrote to everyone at 2:05 PM UTC. Nobody has answered.');
    expect(email?.text).toContain('Say: “Hang up. I’m with you.” Then press I’m on it. We start to call at 2:11 PM UTC.');
    expect(email?.text).toContain('https://x.example/guardian/g/key?incident=one');
    expect(email?.text).toContain('?stop=1');
  });

  test('a holder at their own computer is not asked to answer', () => {
    const { email, sms } = messagesOf().holder;
    expect(email?.text).toContain('If someone is on the phone with you, hang up now. Then call someone you trust.');
    expect(email?.text).not.toContain('I’m on it');
    expect(sms).not.toContain('Reply 1');
  });

  test('a holder of somebody else’s computer is asked as a guardian is', () => {
    const { email, sms } = messagesOf({ person: mum }).holder;
    expect(email?.text).toContain('Then press I’m on it.');
    expect(sms).toBe(
      "Porchlight: Nobody has answered yet. AnyDesk was started on Den PC. Call Mum: +12025550143. Reply 1 if you're on it.",
    );
  });

  test('without calls no call is promised', () => {
    expect(messagesOf({ calls_at: null }).guardian.email?.text).not.toContain('We start to call');
  });

  test('a late one does not urge', () => {
    const { late } = messagesOf({ person: mum }).guardian;
    expect(late && writeEmail(late.email).text).toContain('Nobody had answered.');
    expect(late && writeEmail(late.email).text).not.toContain('press I’m on it');
  });
});

const wide = 'x'.repeat(100);
const longestNote = 'This happened on Wednesday, November 25, at 10:05 PM UTC, 23 hours ago. We could not send it sooner.';
const wordsOf = ({ text }: WrittenEmail) => (text.split('Nobody from Porchlight')[0] ?? '').split(/\s+/).filter(Boolean).length;

test.each(incidentOpener.options)('with the longest names the emails about %s are short enough and the SMS are not split', (opener) => {
  for (const name of ['Łucja-Małgorzata-Aleksandra-Wilhelmina-Zuzanna Ćwierć', wide]) {
    for (const person of [null, { name: name.slice(0, 40), phone_number: '+881234567890123', is_holder: false }]) {
      const { toHolder, toGuardian } = render({ kind: 'nobody_answered', facts: { ...facts, opener, device: name, what: name, person } });
      for (const { email, sms, late } of [toHolder({ ...ann, name }), toGuardian({ ...bob, holder_name: name })]) {
        if (!email || !sms || !late) throw new Error('there is no message');
        for (const one of [email, writeEmail({ ...late.email, paragraphs: [longestNote] })])
          expect(wordsOf(one), one.text).toBeLessThanOrEqual(serverLimits.email_words_max);
        const texts = [sms, inGsm(`${late.sms.before} on Nov 25 at 10:05 PM UTC, 59 minutes ago${late.sms.after}`)];
        for (const text of texts) expect(fitsOneSms(text), text).toBe(true);
      }
    }
  }
});
