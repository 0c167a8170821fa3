import { expect, test } from 'vitest';
import { deviceStates, moodOf, stateOf } from './device-state.ts';
import { type ConditionName, conditions, further, mixes, mixOf, now } from './safe-mixes.ts';
import { type SafeNews, type SafeSentence, safeSentence } from './safe-sentence.ts';

const fresh = { moment: now, silent: null };
const then = { moment: now, silent: now };
const all = Object.keys(conditions) as ConditionName[];
const alone = Object.keys(further) as ConditionName[];
const upToThree = [0, 1, 2, 3].flatMap((count) => mixes(all, count));

const say = (list: ConditionName[], more: Partial<SafeNews> = {}, first = 0) =>
  safeSentence({ ...mixOf(list, first), now, freshness: fresh, ...more });

/** The mixes below the sentence that they have in common, so that a person can read the whole table. */
function table(said: [string, SafeSentence][]): string {
  const groups = new Map<string, string[]>();
  for (const [mix, { mood, lit, sentence, title, lines, call }] of said) {
    const head = `## ${sentence}\n${mood}, lamp ${lit ? 'lit' : 'out'}${call ? `, ${call.label} ${call.phone_number}` : ''} · ${title}`;
    groups.set(head, [...(groups.get(head) ?? []), `- ${mix || 'no computer'}: ${lines.join(' ')}`]);
  }
  return [...groups].map(([head, lines]) => `${head}\n${lines.join('\n')}\n`).join('\n');
}
const rows = (lists: ConditionName[][], more: Partial<SafeNews> = {}, first = 0): [string, SafeSentence][] =>
  lists.map((list) => [list.join(' + '), say(list, more, first)]);
const singles = [...mixes(all, 1), ...mixes(alone, 1)];

// After a change `-u` writes the tables again: read what became different, line by line.
test.each<[string, [string, SafeSentence][]]>([
  ['nobody-named', rows([[], ...singles])],
  ['someone-elses', rows(singles, {}, 1)],
  ['ones-own', rows(singles, {}, 2)],
  ['for-a-guardian', [...rows([[], ...singles], { holder: 'Ann' }), ...rows(mixes(all, 2), { holder: 'Ann' })]],
  ['old-news', rows([[], ...singles], { freshness: then })],
  ['without-a-plan', rows([[], ...singles], { plan: false })],
  ['without-a-plan-for-a-guardian', rows([[], ...singles], { plan: false, holder: 'Ann' })],
  ['two-computers', rows(mixes(all, 2))],
  ['three-computers', rows(mixes(all, 3))],
])('[P9.4] the finished sentences are those of the table that was read: %s', async (name, said) => {
  await expect(table(said)).toMatchFileSnapshot(`./sentences/${name}.md`);
});

test('[P9.4] the state sentence says that nothing could be loaded, and does not call anyone protected', () => {
  const said = safeSentence({ devices: undefined, alerts: [], now, freshness: fresh });
  expect(said).toMatchObject({ mood: 'look', lit: false, sentence: 'We can’t reach Porchlight right now' });
});

const rank = { danger: 0, stopped: 1, look: 2, safe: 3 };
const statesIn = (list: ConditionName[], first: number) => {
  const { devices, alerts } = mixOf(list, first);
  return devices.map((device) => ({ name: device.name, state: stateOf(device, now, alerts) }));
};

const isSaid = (name: string, text: string) => new RegExp(`${name}[^.]* (is|are) on and protected|All 3 computers are on`).test(text);

/** What is wrong with what is said of a mix. */
function wrong(list: ConditionName[], first: number, holder?: string): string[] {
  const states = statesIn(list, first);
  const { mood, lit, sentence, title, lines } = say(list, holder === undefined ? {} : { holder }, first);
  const text = [`${sentence}.`, ...lines].join(' ');
  const worst = Math.min(...states.map(({ state }) => rank[moodOf[state]]));
  const checks: Record<string, boolean> = {
    'the mood is that of the worst tag': mood === 'empty' ? !list.length : rank[mood] === worst,
    'the lamp is lit when all is well, or what happened was stopped': lit === (mood === 'safe' || mood === 'stopped'),
    'everyone is said when all is well, and else never': text.includes('Everyone') === (mood === 'safe'),
    'the title begins the sentence': sentence.startsWith(title) && !/\d:\d\d/.test(title),
    'nothing is said twice': lines.length === new Set(lines).size,
    'each paragraph ends with an answer': lines.every((line) => /[.”]$/.test(line)),
    'who is in trouble has something to do': !/danger|stopped/.test(mood) || /hang up|Call|open Porchlight/.test(text),
    'exactly the protected ones are said to be': states.every(({ name, state }) => isSaid(name, text) === (state === 'protected')),
    'nobody is left out': states.every(({ name, state }) => text.includes(name) || (state === 'protected' && isSaid(name, text))),
  };
  return Object.entries(checks).flatMap(([check, holds]) => (holds ? [] : [`${list.join(' + ')}: ${check}: ${text}`]));
}

test.each([
  ['the holder', 0, undefined],
  ['the holder, about someone else first', 1, undefined],
  ['the holder, about their own first', 2, undefined],
  ['a guardian', 0, 'Ann'],
])('[P9.4] no mix of up to three computers contradicts itself or its tags: for %s', (_title, first, holder) => {
  expect(upToThree.flatMap((list) => wrong(list, first, holder))).toEqual([]);
});

test('[P9.4] the state sentence is the same for the same computers in another order', () => {
  const moods = (lists: ConditionName[][]) => lists.map((list) => say(list).mood);
  expect(moods(upToThree.map((list) => [...list].reverse()))).toEqual(moods(upToThree));
});

test('[P9.4] the state sentence of stale data calls nobody protected, and the lamp is out', () => {
  const lying = upToThree.filter((list) => {
    const { mood, lit, sentence, lines } = say(list, { freshness: then });
    return lit || mood === 'safe' || /(?<!Nobody )(is|are) (on and )?protected/.test([sentence, ...lines].join(' '));
  });
  expect(lying).toEqual([]);
});

test('[P9.4] the state sentence counts further alerts of each kind, and an answer calms it', () => {
  expect(say(['stopped', 'stopped']).sentence).toBe('We stopped AnyDesk on Den PC, today 1:00 PM, and 1 more');
  expect(say(['stopped', 'not stopped']).sentence).toBe('We did not stop TeamViewer on Mum’s laptop, today 12:00 PM');
  expect(say(['stopped', 'answered']).sentence).toBe('We stopped AnyDesk on Den PC, today 1:00 PM');
  expect(say(['answered', 'answered'])).toMatchObject({ mood: 'safe', sentence: 'Everyone is protected' });
});

test('[P9.4] the state is red only for not protected now, and for not stopped', () => {
  expect(deviceStates.filter((state) => moodOf[state] === 'danger')).toEqual([
    'uninstalled',
    'left',
    'stopped',
    'paused',
    'unseen',
    'not_stopped',
  ]);
});
