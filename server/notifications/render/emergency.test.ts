import { expect, test } from 'vitest';
import { emergencies, inAnHour, inIncident, isolation, stop } from '../../testing/emergencies.ts';
import { people } from '../../testing/read-aloud.ts';
import { readNotification } from '../../testing/read-notification.ts';
import { type Notification, render } from './render.ts';

/** Each message in full, for each kind of user of a computer (P8.2, P9.5, P10.6). */

const notificationOf = (name: keyof typeof emergencies, userKey: keyof typeof people) =>
  emergencies[name][0]({ ...inIncident, person: people[userKey] });

const expected: [keyof typeof emergencies, keyof typeof people, 'the holder' | 'the guardian', string][] = [
  [
    'Stop this',
    'me',
    'the holder',
    `Subject: Carol stopped everything on your computers
Carol stopped everything on your computers.
What happened: Carol pressed “Stop this” at 9:05 AM on Saturday, November 21.
What it means: Everything on our list is stopped on every computer until 9:05 AM on Sunday, November 22, even what was allowed.
What to do now: If someone is on the phone with you, hang up now. Then call Carol.
See what happened →
Text: Carol stopped everything on your computers until 9:05am on Nov 22. Someone on the phone? Hang up.`,
  ],
  [
    'Stop this',
    'Mum with a number',
    'the holder',
    `Subject: Carol stopped everything on your computers
Carol stopped everything on your computers.
Call Mum: +1 202 555 0143
What happened: Carol pressed “Stop this” at 9:05 AM on Saturday, November 21.
What it means: Everything on our list is stopped on every computer until 9:05 AM on Sunday, November 22, even what was allowed.
What to do now: Call Mum. Say: “Hang up. I’m with you.”
See what happened →
Text: Carol stopped everything on your computers until 9:05am on Nov 22. Call Mum: +12025550143.`,
  ],
  [
    'Stop this',
    'Mum with a number',
    'the guardian',
    `Subject: Carol stopped everything on Ann’s computers
Carol stopped everything on Ann’s computers.
Call Mum: +1 202 555 0143
What happened: Carol pressed “Stop this” at 9:05 AM on Saturday, November 21.
What it means: Everything on our list is stopped on every computer until 9:05 AM on Sunday, November 22, even what was allowed.
What to do now: Call Mum. Say: “Hang up. I’m with you.”
See what happened →
Text: Carol stopped everything on Ann's computers until 9:05am on Nov 22. Call Mum: +12025550143.`,
  ],
  [
    'Stop this',
    'someone without a name',
    'the guardian',
    `Subject: Carol stopped everything on Ann’s computers
Carol stopped everything on Ann’s computers.
What happened: Carol pressed “Stop this” at 9:05 AM on Saturday, November 21.
What it means: Everything on our list is stopped on every computer until 9:05 AM on Sunday, November 22, even what was allowed.
What to do now: Call the person at Den PC. Say: “Hang up. I’m with you.”
See what happened →
Text: Carol stopped everything on Ann's computers until 9:05am on Nov 22. Call the person at Den PC.`,
  ],
  [
    'Stop this, with the internet cut on two computers',
    'me',
    'the holder',
    `Subject: Carol stopped everything on your computers
Carol stopped everything on your computers.
What happened: Carol pressed “Stop this” at 9:05 AM on Saturday, November 21.
What it means: Everything on our list is stopped on every computer until 9:05 AM on Sunday, November 22, even what was allowed. Den PC and 1 more have no internet until 9:20 AM.
What to do now: If someone is on the phone with you, hang up now. Then call Carol.
See what happened →
Text: Carol stopped everything on your computers until 9:05am on Nov 22. Den PC is offline until 9:20am. Someone on the phone? Hang up.`,
  ],
  [
    'Stop this, sent late',
    'Mum with a number',
    'the guardian',
    `Subject: Carol stopped everything on Ann’s computers
Carol stopped everything on Ann’s computers.
Call Mum: +1 202 555 0143
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What happened: Carol pressed “Stop this”.
What it means: Everything on our list is stopped on every computer until 9:05 AM on Sunday, November 22, even what was allowed.
What to do now: Call Mum. Say: “Hang up. I’m with you.”
See what happened →
Text: Carol stopped everything on Ann's computers at 9:05 AM, 3 hours ago. Call Mum: +12025550143. We could not send it sooner.`,
  ],
  [
    'an isolation that its user can end',
    'me',
    'the holder',
    `Subject: Carol cut the internet on Den PC
Carol cut the internet on Den PC.
What happened: Carol pressed “Cut the internet there” at 9:05 AM on Saturday, November 21.
What it means: It comes back on its own at 9:20 AM. Someone at that computer can end it earlier. Until then nobody can use Den PC from far away.
What to do now: If someone is on the phone with you, hang up now. Then call Carol.
See what happened →
Text: Carol cut the internet on Den PC until 9:20am. Someone on the phone? Hang up.`,
  ],
  [
    'an isolation that its user can end',
    'Mum with a number',
    'the guardian',
    `Subject: Carol cut the internet on Den PC
Carol cut the internet on Den PC.
Call Mum: +1 202 555 0143
What happened: Carol pressed “Cut the internet there” at 9:05 AM on Saturday, November 21.
What it means: It comes back on its own at 9:20 AM. Someone at that computer can end it earlier. Until then nobody can use Den PC from far away.
What to do now: Call Mum. Say: “Hang up. I’m with you.”
See what happened →
Text: Carol cut the internet on Den PC until 9:20am. Call Mum: +12025550143.`,
  ],
  [
    'an isolation that its user cannot end',
    'me',
    'the holder',
    `Subject: Carol cut the internet on Den PC
Carol cut the internet on Den PC.
What happened: Carol pressed “Cut the internet there” at 9:05 AM on Saturday, November 21.
What it means: It comes back on its own at 9:20 AM. Until then nobody can use Den PC from far away.
What to do now: If someone is on the phone with you, hang up now. Then call Carol.
See what happened →
Text: Carol cut the internet on Den PC until 9:20am. Someone on the phone? Hang up.`,
  ],
  [
    'an isolation, sent late',
    'Mum with a number',
    'the guardian',
    `Subject: Carol cut the internet on Den PC
Carol cut the internet on Den PC.
Call Mum: +1 202 555 0143
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What happened: Carol pressed “Cut the internet there”.
What it means: The internet was to come back at 9:20 AM.
What to do now: Call Mum. Say: “Hang up. I’m with you.”
See what happened →
Text: Carol cut the internet on Den PC at 9:05 AM, 3 hours ago. Call Mum: +12025550143. We could not send it sooner.`,
  ],
  [
    'a call for help',
    'me',
    'the holder',
    `Subject: You asked for help on Den PC
You asked for help on Den PC.
What happened: Someone at Den PC pressed “I need help now” at 9:05 AM.
What we did: Everything on our list is stopped there until 10:05 AM. We wrote to everyone.
What to do now: Hang up. Did someone move the mouse? Turn the screen off. Then call the bank. Use the number on the card.
See what happened →
Text: Porchlight: You asked for help on Den PC. Hang up. Did someone move the mouse? Turn the screen off. Then call the bank.`,
  ],
  [
    'a call for help',
    'Mum with a number',
    'the holder',
    `Subject: Mum needs help now
Mum needs help now.
Call Mum: +1 202 555 0143
What happened: Someone at Den PC pressed “I need help now” at 9:05 AM.
What we did: Everything on our list is stopped there until 10:05 AM. We wrote to everyone.
What to do now: Call Mum now. Say: “Hang up. I’m with you.” Did someone move the mouse? Turn the screen off. Then call the bank together. Use the number on the card.
See what happened →
Text: Porchlight: Mum needs help now on Den PC. Call Mum: +12025550143. Say: Hang up, turn the screen off.`,
  ],
  [
    'a call for help',
    'Mum with a number',
    'the guardian',
    `Subject: Mum needs help now
Mum needs help now.
Call Mum: +1 202 555 0143
What happened: Someone at Den PC pressed “I need help now” at 9:05 AM.
What we did: Everything on our list is stopped there until 10:05 AM. We wrote to everyone.
What to do now: Call Mum now. Say: “Hang up. I’m with you.” Did someone move the mouse? Turn the screen off. Then call the bank together. Use the number on the card.
See what happened →
Stop this →
Text: Porchlight: Mum needs help now on Den PC. Call Mum: +12025550143. Say: Hang up, turn the screen off.`,
  ],
  [
    'a call for help',
    'someone without a name',
    'the guardian',
    `Subject: Someone at Den PC needs help now
Someone at Den PC needs help now.
What happened: Someone at Den PC pressed “I need help now” at 9:05 AM.
What we did: Everything on our list is stopped there until 10:05 AM. We wrote to everyone.
What to do now: Call the person at Den PC now. Say: “Hang up. I’m with you.” Did someone move the mouse? Turn the screen off. Then call the bank together. Use the number on the card.
See what happened →
Stop this →
Text: Porchlight: Someone at Den PC needs help now. Call the person at Den PC. Say: Hang up, turn the screen off.`,
  ],
  [
    'a call for help, sent late',
    'Mum with a number',
    'the guardian',
    `Subject: Mum needs help now
Mum needs help now.
Call Mum: +1 202 555 0143
This happened at 9:05 AM, 3 hours ago. We could not send it sooner.
What happened: Someone at Den PC pressed “I need help now”.
What to do now: Call Mum. Say: “Hang up. I’m with you.” Did someone move the mouse? Turn the screen off. Then call the bank together. Use the number on the card.
See what happened →
Stop this →
Text: Porchlight: Mum asked for help on Den PC at 9:05 AM, 3 hours ago. Call Mum: +12025550143. We could not send it sooner.`,
  ],
];

test.each(expected)(
  'the messages about %s, on a computer used by %s, have the expected text for %s',
  (name, userKey, reader, expectedText) => {
    expect(readNotification(notificationOf(name, userKey), reader, emergencies[name][1])).toBe(expectedText);
  },
);

test('the guardian who pressed gets no message, nor does the holder who asked for help on the dashboard', () => {
  const facts = { ...inIncident, person: people.me };
  const stopped: Notification = { kind: 'guardian_stop', facts: { ...facts, ...stop, by_person: 'guardian', isolated: [] } };
  const cut: Notification = { kind: 'isolated', facts: { ...facts, ...isolation, by_person: 'guardian', may_end: false } };
  const asked: Notification = { kind: 'help', facts: { ...facts, about: 'h', until: inAnHour, by_person: 'account' } };
  expect([readNotification(stopped, 'the guardian'), readNotification(cut, 'the guardian'), readNotification(asked, 'the holder')]).toEqual(
    ['none', 'none', 'none'],
  );
  expect(readNotification(asked, 'the guardian')).toContain('Ann needs help now');
});

test('the button leads to the incident, and to the first page if none is open; a guardian who is asked for help can stop this', () => {
  const urlsOf = (name: keyof typeof emergencies, to: 'toHolder' | 'toGuardian', incident: string | null = 'i') => {
    const { kind, facts } = notificationOf(name, 'me');
    const rendered = render({ kind, facts: { ...facts, incident } } as Notification);
    const message =
      to === 'toHolder'
        ? rendered.toHolder({ uuid: 'account', name: 'Ann', dashboard_url: 'https://x.test' })
        : rendered.toGuardian({ uuid: 'g', name: 'Bob', holder_name: 'Ann', link: 'https://x.test/guardian/g/key' });
    return message.email?.text.match(/https:\S+/g);
  };
  expect(urlsOf('Stop this', 'toHolder')).toEqual(['https://x.test/incident/i']);
  expect(urlsOf('Stop this', 'toHolder', null)).toEqual(['https://x.test']);
  expect(urlsOf('Stop this', 'toGuardian')).toEqual(['https://x.test/guardian/g/key?incident=i']);
  expect(urlsOf('a call for help', 'toGuardian')).toEqual([
    'https://x.test/guardian/g/key?incident=i',
    'https://x.test/guardian/g/key?stop=1',
  ]);
});
