import { expect, test } from 'vitest';
import { people } from '../../testing/read-aloud.ts';
import { readNotification } from '../../testing/read-notification.ts';
import type { HeldRequestFacts } from './held-request.ts';
import { render } from './render.ts';

/** Each message in full, for each kind of user of a computer (P8.2, P10.1). */

const anydesk = { kind: 'allowed', device: 'Den PC', what: 'AnyDesk' } as const;
const internetOff = { kind: 'isolation_off', device: '', what: 'Bob Example' } as const;
const textsOff = { kind: 'alerts_off', device: '', what: 'texts' } as const;
const inIncident: Omit<HeldRequestFacts, 'person'> = {
  request: 'r',
  incident: 'i',
  activities: [anydesk],
  device: 'Den PC',
  time: new Date('2026-11-21T14:05:00.000Z'),
  time_zone: 'America/New_York',
  cause: 'incident',
  can_answer: true,
  asked: ['Bob'],
};
/** The facts, and whether the messages leave late. */
const cases = {
  'in an incident': [inIncident, false],
  'in an incident, sent late': [inIncident, true],
  'as the second change, which no guardian may answer': [{ ...inIncident, cause: 'second_act', can_answer: false, asked: [] }, false],
  'of a guardian’s internet switch': [{ ...inIncident, activities: [internetOff] }, false],
  'of two changes, as the account asks first': [
    { ...inIncident, cause: 'ask_first', incident: null, device: '', activities: [anydesk, textsOff], asked: ['Bob', 'Carol'] },
    false,
  ],
} as const satisfies Record<string, [Omit<HeldRequestFacts, 'person'>, boolean]>;

const expected: [keyof typeof cases, keyof typeof people, 'the holder' | 'the guardian', string][] = [
  [
    'in an incident',
    'me',
    'the holder',
    `Subject: Please wait: you want to allow AnyDesk on Den PC
You want to allow AnyDesk on Den PC.
What we did: We asked Bob. Nothing has changed yet.
Why we ask: There was trouble on Den PC, and it isn’t over yet. Asked at 9:05 AM on Saturday, November 21.
What to do now: If someone on the phone told you to do this, hang up. You’re not being rude.
See what happened →
Text: You want to allow AnyDesk on Den PC. We asked Bob. Did someone on the phone tell you to? Hang up.`,
  ],
  [
    'in an incident',
    'Mum with a number',
    'the holder',
    `Subject: Please answer: someone wants to allow AnyDesk on Den PC
Someone wants to allow AnyDesk on Den PC.
Call Mum: +1 202 555 0143
What we did: It waits for an answer. Nothing has changed yet.
Why we ask: There was trouble on Den PC, and it isn’t over yet. Asked at 9:05 AM on Saturday, November 21.
What to do now: Call Mum first. Ask: “Is someone on the phone with you?” Can’t reach Mum, or not sure? Say no.
See it and answer →
Text: Someone wants to allow AnyDesk on Den PC. It waits for you. Call Mum first: +12025550143. Not sure? Say no in Porchlight.`,
  ],
  [
    'in an incident',
    'me',
    'the guardian',
    `Subject: Please answer: Ann wants to allow AnyDesk on Den PC
Ann wants to allow AnyDesk on Den PC.
What we did: It waits for your answer. Nothing has changed yet.
Why we ask: There was trouble on Den PC, and it isn’t over yet. Asked at 9:05 AM on Saturday, November 21.
What to do now: Call Ann first. Ask: “Is someone on the phone with you?” Can’t reach Ann, or not sure? Say no.
See it and answer →
Stop this →
Text: Ann wants to allow AnyDesk on Den PC. It waits for you. Call Ann first. Not sure? Say no on your page.`,
  ],
  [
    'in an incident',
    'Mum with a number',
    'the guardian',
    `Subject: Please answer: Ann wants to allow AnyDesk on Den PC
Ann wants to allow AnyDesk on Den PC.
Call Mum: +1 202 555 0143
What we did: It waits for your answer. Nothing has changed yet.
Why we ask: There was trouble on Den PC, and it isn’t over yet. Asked at 9:05 AM on Saturday, November 21.
What to do now: Call Mum first. Ask: “Is someone on the phone with you?” Can’t reach Mum, or not sure? Say no.
See it and answer →
Stop this →
Text: Ann wants to allow AnyDesk on Den PC. It waits for you. Call Mum first: +12025550143. Not sure? Say no on your page.`,
  ],
  [
    'in an incident',
    'someone without a name',
    'the guardian',
    `Subject: Please answer: Ann wants to allow AnyDesk on Den PC
Ann wants to allow AnyDesk on Den PC.
What we did: It waits for your answer. Nothing has changed yet.
Why we ask: There was trouble on Den PC, and it isn’t over yet. Asked at 9:05 AM on Saturday, November 21.
What to do now: Call the person at Den PC first. Ask: “Is someone on the phone with you?” Can’t reach them, or not sure? Say no.
See it and answer →
Stop this →
Text: Ann wants to allow AnyDesk on Den PC. It waits for you. Call the person at Den PC first. Not sure? Say no on your page.`,
  ],
  [
    'in an incident, sent late',
    'me',
    'the holder',
    `Subject: You wanted to allow AnyDesk on Den PC
You wanted to allow AnyDesk on Den PC.
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What we did: We made it wait for a yes.
Is it over?: Maybe. Press the button to see.
What to do now: If someone on the phone told you to do this, hang up.
See what happened →
Text: You wanted to allow AnyDesk on Den PC. This was at 9:05 AM, 3 hours ago. Someone on the phone? Hang up. We could not send it sooner. It may be over.`,
  ],
  [
    'in an incident, sent late',
    'Mum with a number',
    'the holder',
    `Subject: Someone wanted to allow AnyDesk on Den PC
Someone wanted to allow AnyDesk on Den PC.
Call Mum: +1 202 555 0143
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What we did: We made it wait for a yes.
Is it over?: Maybe. Press the button to see.
What to do now: Call Mum first. If it still waits and you aren’t sure, say no.
See if it still waits →
Text: Someone wanted to allow AnyDesk on Den PC. This was at 9:05 AM, 3 hours ago. Call Mum: +12025550143. We could not send it sooner. It may be over.`,
  ],
  [
    'in an incident, sent late',
    'me',
    'the guardian',
    `Subject: Ann wanted to allow AnyDesk on Den PC
Ann wanted to allow AnyDesk on Den PC.
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What we did: We made it wait for a yes.
Is it over?: Maybe. Press the button to see.
What to do now: Call Ann first. If it still waits and you aren’t sure, say no.
See if it still waits →
Stop this →
Text: Ann wanted to allow AnyDesk on Den PC. This was at 9:05 AM, 3 hours ago. Call Ann. We could not send it sooner. It may be over.`,
  ],
  [
    'in an incident, sent late',
    'Mum with a number',
    'the guardian',
    `Subject: Ann wanted to allow AnyDesk on Den PC
Ann wanted to allow AnyDesk on Den PC.
Call Mum: +1 202 555 0143
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What we did: We made it wait for a yes.
Is it over?: Maybe. Press the button to see.
What to do now: Call Mum first. If it still waits and you aren’t sure, say no.
See if it still waits →
Stop this →
Text: Ann wanted to allow AnyDesk on Den PC. This was at 9:05 AM, 3 hours ago. Call Mum: +12025550143. We could not send it sooner. It may be over.`,
  ],
  [
    'as the second change, which no guardian may answer',
    'me',
    'the holder',
    `Subject: Please wait: you want to allow AnyDesk on Den PC
You want to allow AnyDesk on Den PC.
What we did: It waits. Nobody can say yes yet.
Why we ask: This is the second change within an hour. Scammers do that. Asked at 9:05 AM on Saturday, November 21.
What to do now: If someone on the phone told you to do this, hang up. You’re not being rude.
See what happened →
Text: You want to allow AnyDesk on Den PC. It waits for now. Did someone on the phone tell you to? Hang up.`,
  ],
  [
    'as the second change, which no guardian may answer',
    'Mum with a number',
    'the holder',
    `Subject: Please answer: someone wants to allow AnyDesk on Den PC
Someone wants to allow AnyDesk on Den PC.
Call Mum: +1 202 555 0143
What we did: It waits for an answer. Nothing has changed yet.
Why we ask: This is the second change within an hour. Scammers do that. Asked at 9:05 AM on Saturday, November 21.
What to do now: Call Mum first. Ask: “Is someone on the phone with you?” Can’t reach Mum, or not sure? Say no.
See it and answer →
Text: Someone wants to allow AnyDesk on Den PC. It waits. Call Mum first: +12025550143. Not sure? Say no in Porchlight.`,
  ],
  [
    'as the second change, which no guardian may answer',
    'me',
    'the guardian',
    `Subject: Please check: Ann wants to allow AnyDesk on Den PC
Ann wants to allow AnyDesk on Den PC.
What we did: It waits. Nobody can say yes yet.
Why we ask: This is the second change within an hour. Scammers do that. Asked at 9:05 AM on Saturday, November 21.
What to do now: Call Ann first. Ask: “Is someone on the phone with you?” Can’t reach Ann, or not sure? Say no.
See it and answer →
Stop this →
Text: Ann wants to allow AnyDesk on Den PC. It waits. Call Ann first. Not sure? Say no on your page.`,
  ],
  [
    'as the second change, which no guardian may answer',
    'Mum with a number',
    'the guardian',
    `Subject: Please check: Ann wants to allow AnyDesk on Den PC
Ann wants to allow AnyDesk on Den PC.
Call Mum: +1 202 555 0143
What we did: It waits. Nobody can say yes yet.
Why we ask: This is the second change within an hour. Scammers do that. Asked at 9:05 AM on Saturday, November 21.
What to do now: Call Mum first. Ask: “Is someone on the phone with you?” Can’t reach Mum, or not sure? Say no.
See it and answer →
Stop this →
Text: Ann wants to allow AnyDesk on Den PC. It waits. Call Mum first: +12025550143. Not sure? Say no on your page.`,
  ],
  [
    'of two changes, as the account asks first',
    'nobody',
    'the holder',
    `Subject: Please wait: you want to allow AnyDesk on Den PC, and 1 more change
You want to allow AnyDesk on Den PC, and 1 more change.
Also: You want to turn off texts about threats.
What we did: We asked Bob and Carol. Nothing has changed yet.
Why we ask: You turned on Ask first. Asked at 9:05 AM on Saturday, November 21.
What to do now: If someone on the phone told you to do this, hang up. You’re not being rude.
See what happened →
Text: You want to allow AnyDesk on Den PC, and more. We asked Bob and Carol. Did someone on the phone tell you to? Hang up.`,
  ],
  [
    'of two changes, as the account asks first',
    'nobody',
    'the guardian',
    `Subject: Please answer: Ann wants to allow AnyDesk on Den PC, and 1 more change
Ann wants to allow AnyDesk on Den PC, and 1 more change.
Also: Ann wants to turn off texts about threats.
What we did: It waits for your answer. Nothing has changed yet.
Why we ask: Ann turned on Ask first. Asked at 9:05 AM on Saturday, November 21.
What to do now: Call Ann first. Ask: “Is someone on the phone with you?” Can’t reach Ann, or not sure? Say no.
See it and answer →
Stop this →
Text: Ann wants to allow AnyDesk on Den PC, and more. It waits for you. Call Ann first. Not sure? Say no on your page.`,
  ],
  [
    'of a guardian’s internet switch',
    'me',
    'the holder',
    `Subject: Please wait: you want to stop letting Bob Example cut the internet
You want to stop letting Bob Example cut the internet.
What we did: We asked Bob. Nothing has changed yet.
Why we ask: There was trouble on Den PC, and it isn’t over yet. Asked at 9:05 AM on Saturday, November 21.
What to do now: If someone on the phone told you to do this, hang up. You’re not being rude.
See what happened →
Text: You want to stop letting Bob Example cut the internet. We asked Bob. Did someone on the phone tell you to? Hang up.`,
  ],
  [
    'of a guardian’s internet switch',
    'me',
    'the guardian',
    `Subject: Please answer: Ann wants to stop letting Bob Example cut the internet
Ann wants to stop letting Bob Example cut the internet.
What we did: It waits for your answer. Nothing has changed yet.
Why we ask: There was trouble on Den PC, and it isn’t over yet. Asked at 9:05 AM on Saturday, November 21.
What to do now: Call Ann first. Ask: “Is someone on the phone with you?” Can’t reach Ann, or not sure? Say no.
See it and answer →
Stop this →
Text: Ann wants to stop letting Bob Example cut the internet. It waits for you. Call Ann first. Not sure? Say no on your page.`,
  ],
];

test.each(expected)(
  'the email and SMS about a held request %s, on a computer used by %s, have the expected text for %s',
  (name, userKey, reader, expectedText) => {
    const [facts, late] = cases[name];
    expect(readNotification({ kind: 'held_request', facts: { ...facts, person: people[userKey] } }, reader, late)).toBe(expectedText);
  },
);

test('the button of the guardian’s email leads to the request on their page, its second link to Stop this, and the holder’s to the incident or the settings of alerts', () => {
  const urlOf = (facts: HeldRequestFacts, reader: 'toHolder' | 'toGuardian') => {
    const rendered = render({ kind: 'held_request', facts });
    const message =
      reader === 'toHolder'
        ? rendered.toHolder({ uuid: 'ann', name: 'Ann', dashboard_url: 'https://x.test' })
        : rendered.toGuardian({ uuid: 'g', name: 'Bob', holder_name: 'Ann', link: 'https://x.test/guardian/g/key' });
    return message.email?.text.match(/https:\S+/g);
  };
  const facts = { ...inIncident, person: null };
  expect(urlOf(facts, 'toGuardian')).toEqual(['https://x.test/guardian/g/key?request=r', 'https://x.test/guardian/g/key?stop=1']);
  expect(urlOf(facts, 'toHolder')).toEqual(['https://x.test/incident/i']);
  expect(urlOf({ ...facts, incident: null }, 'toHolder')).toEqual(['https://x.test/profile/alerts']);
});

test('a held request is sent at once, also with emails off', () => {
  expect(render({ kind: 'held_request', facts: { ...inIncident, person: null } }).delivery).toMatchObject({
    category: 'act',
    about: 'r',
    urgency: 'urgent',
    always: true,
  });
});
