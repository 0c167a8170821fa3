import { expect, test } from 'vitest';
import { type ConditionName, conditions, mixes, mixOf, now, singleConditions } from '../testing/safe-mixes.ts';
import { deviceStates, moodOf, stateOf } from './device-state.ts';
import { type SafeSentence, type SafeSentenceInput, safeSentence } from './safe-sentence.ts';

const currentData = { moment: now, silent: null };
const staleData = { moment: now, silent: now };
const allConditions = Object.keys(conditions) as ConditionName[];
const singleNames = Object.keys(singleConditions) as ConditionName[];
const mixesUpToThree = [0, 1, 2, 3].flatMap((count) => mixes(allConditions, count));

const sentenceOf = (mix: ConditionName[], changes: Partial<SafeSentenceInput> = {}, firstComputer = 0) =>
  safeSentence({ ...mixOf(mix, firstComputer), now, freshness: currentData, ...changes });

/** The mixes grouped by their sentence, so that a reviewer can read the whole table. */
function table(sentences: [string, SafeSentence][]): string {
  const groups = new Map<string, string[]>();
  for (const [mix, { mood, lit, sentence, title, lines, call }] of sentences) {
    const head = `## ${sentence}\n${mood}, lamp ${lit ? 'lit' : 'out'}${call ? `, ${call.label} ${call.phone_number}` : ''} · ${title}`;
    groups.set(head, [...(groups.get(head) ?? []), `- ${mix || 'no computer'}: ${lines.join(' ')}`]);
  }
  return [...groups].map(([head, lines]) => `${head}\n${lines.join('\n')}\n`).join('\n');
}
const rows = (lists: ConditionName[][], changes: Partial<SafeSentenceInput> = {}, firstComputer = 0): [string, SafeSentence][] =>
  lists.map((mix) => [mix.join(' + '), sentenceOf(mix, changes, firstComputer)]);
const singles = [...mixes(allConditions, 1), ...mixes(singleNames, 1)];

// After a change `-u` writes the tables again: review their diff line by line.
test.each<[string, [string, SafeSentence][]]>([
  ['nobody-named', rows([[], ...singles])],
  ['someone-elses', rows(singles, {}, 1)],
  ['ones-own', rows(singles, {}, 2)],
  ['for-a-guardian', [...rows([[], ...singles], { holder: 'Ann' }), ...rows(mixes(allConditions, 2), { holder: 'Ann' })]],
  ['old-news', rows([[], ...singles], { freshness: staleData })],
  ['without-a-plan', rows([[], ...singles], { plan: false })],
  ['without-a-plan-for-a-guardian', rows([[], ...singles], { plan: false, holder: 'Ann' })],
  ['two-computers', rows(mixes(allConditions, 2))],
  ['three-computers', rows(mixes(allConditions, 3))],
])('[P9.4] the state sentences match the reviewed table: %s', async (name, sentences) => {
  await expect(table(sentences)).toMatchFileSnapshot(`./sentences/${name}.md`);
});

test('[P9.4] the state sentence says that nothing could be loaded, and does not call anyone protected', () => {
  const sentences = safeSentence({ devices: undefined, alerts: [], now, freshness: currentData });
  expect(sentences).toMatchObject({ mood: 'look', lit: false, sentence: 'We can’t reach Porchlight right now' });
});

const rank = { danger: 0, stopped: 1, look: 2, safe: 3 };
const statesIn = (mix: ConditionName[], firstComputer: number) => {
  const { devices, alerts } = mixOf(mix, firstComputer);
  return devices.map((device) => ({ name: device.name, state: stateOf(device, now, alerts) }));
};

const isCalledProtected = (name: string, text: string) =>
  new RegExp(`${name}[^.]* (is|are) on and protected|All 3 computers are on`).test(text);

/** The contradictions between the texts about a mix of computers. */
function contradictionsIn(mix: ConditionName[], firstComputer: number, holder?: string): string[] {
  const states = statesIn(mix, firstComputer);
  const { mood, lit, sentence, title, lines } = sentenceOf(mix, holder === undefined ? {} : { holder }, firstComputer);
  const text = [`${sentence}.`, ...lines].join(' ');
  const worstRank = Math.min(...states.map(({ state }) => rank[moodOf[state]]));
  const checks: Record<string, boolean> = {
    'the mood is that of the worst tag': mood === 'empty' ? !mix.length : rank[mood] === worstRank,
    'the lamp is lit when all is well, or what happened was stopped': lit === (mood === 'safe' || mood === 'stopped'),
    'everyone is said when all is well, and else never': text.includes('Everyone') === (mood === 'safe'),
    'the title begins the sentence': sentence.startsWith(title) && !/\d:\d\d/.test(title),
    'nothing is said twice': lines.length === new Set(lines).size,
    'each paragraph ends with an answer': lines.every((line) => /[.”]$/.test(line)),
    'who is in trouble has something to do': !/danger|stopped/.test(mood) || /hang up|Call|open Porchlight/.test(text),
    'exactly the protected ones are said to be': states.every(
      ({ name, state }) => isCalledProtected(name, text) === (state === 'protected'),
    ),
    'nobody is left out': states.every(
      ({ name, state }) => text.includes(name) || (state === 'protected' && isCalledProtected(name, text)),
    ),
  };
  return Object.entries(checks).flatMap(([check, holds]) => (holds ? [] : [`${mix.join(' + ')}: ${check}: ${text}`]));
}

test.each([
  ['the holder', 0, undefined],
  ['the holder, about someone else first', 1, undefined],
  ['the holder, about their own first', 2, undefined],
  ['a guardian', 0, 'Ann'],
])('[P9.4] the texts about up to three computers contradict neither each other nor the tags: for %s', (_title, firstComputer, holder) => {
  expect(mixesUpToThree.flatMap((mix) => contradictionsIn(mix, firstComputer, holder))).toEqual([]);
});

test('[P9.4] the state sentence is the same for the same computers in another order', () => {
  const moods = (lists: ConditionName[][]) => lists.map((mix) => sentenceOf(mix).mood);
  expect(moods(mixesUpToThree.map((mix) => [...mix].reverse()))).toEqual(moods(mixesUpToThree));
});

test('[P9.4] the state sentence of stale data calls nobody protected, and the lamp is off', () => {
  const falselyLitMixes = mixesUpToThree.filter((mix) => {
    const { mood, lit, sentence, lines } = sentenceOf(mix, { freshness: staleData });
    return lit || mood === 'safe' || /(?<!Nobody )(is|are) (on and )?protected/.test([sentence, ...lines].join(' '));
  });
  expect(falselyLitMixes).toEqual([]);
});

test('[P9.4] the state sentence counts further alerts of each kind, and an answer calms it', () => {
  expect(sentenceOf(['stopped', 'stopped']).sentence).toBe('We stopped AnyDesk on Den PC, today at 1:00 PM, and 1 more');
  expect(sentenceOf(['stopped', 'not stopped']).sentence).toBe('We did not stop TeamViewer on Mum’s laptop, today at 12:00 PM');
  expect(sentenceOf(['stopped', 'answered']).sentence).toBe('We stopped AnyDesk on Den PC, today at 1:00 PM');
  expect(sentenceOf(['answered', 'answered'])).toMatchObject({ mood: 'safe', sentence: 'Everyone is protected' });
});

test.each([
  ['a quiet alert leaves everyone as protected as before, and is in a line', 'alone', 'Everyone is protected', 1],
  ['any other alert does not', undefined, 'We stopped AnyDesk on Den PC, today at 1:00 PM', 0],
] as const)('[P15.9] %s', (_what, quiet, sentence, count) => {
  const { alerts, ...mix } = mixOf(['stopped']);
  const others = alerts.map((alert) => ({ ...alert, info: { ...alert.info, quiet } }));
  const safe = safeSentence({ ...mix, alerts: others, now, freshness: currentData });
  expect(safe.sentence).toBe(sentence);
  expect(safe.lines.filter((line) => line === 'We stopped AnyDesk on Den PC, today at 1:00 PM.')).toHaveLength(count);
});

test('[P9.4] the state is red only for a device that is not protected now, and for an alert that was not stopped', () => {
  expect(deviceStates.filter((state) => moodOf[state] === 'danger')).toEqual([
    'uninstalled',
    'left',
    'stopped',
    'paused',
    'unarmed',
    'unseen',
    'not_stopped',
  ]);
});

test('[P9.4] a call for help or a guardian’s stop is no calm day until it is over, although nothing was found', () => {
  const at = { device: { uuid: 'd', name: 'Den PC', person: null }, state: 'open' } as const;
  const help = { ...at, opener: 'help', words: 'Someone at Den PC pressed “I need help now”.' } as const;
  expect(sentenceOf([], { incidents: [help] })).toMatchObject({ mood: 'stopped', sentence: 'Someone at Den PC pressed “I need help now”' });
  expect(sentenceOf(['protected'], { incidents: [help], holder: 'Ann' })).toMatchObject({
    mood: 'stopped',
    lines: [expect.stringContaining('Call Ann now'), expect.anything()],
  });
  const stop = { ...at, opener: 'guardian_stop', words: 'Bob pressed “Stop this”.' } as const;
  expect(sentenceOf(['protected'], { incidents: [stop] }).sentence).toBe('Bob pressed “Stop this”');
  for (const over of [{ ...help, state: 'watched' } as const, { ...help, opener: 'started' } as const])
    expect(sentenceOf(['protected'], { incidents: [over] })).toMatchObject({ mood: 'safe', sentence: 'Everyone is protected' });
});
