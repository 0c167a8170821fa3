import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { goodPassword } from '../people.ts';
import { startWorld } from '../world.ts';
import { type Answer, type Asked, asker, medianDifference, withoutWhatAlwaysDiffers } from './enumeration-tools.ts';

export interface EnumerationResult {
  /** One line for each kind of question: both medians in milliseconds. */
  seen: string[];
  /** Everything that tells who has an account, one sentence each. */
  wrong: string[];
}

interface Person {
  email: string;
  token: string;
}

/** A question that may be asked about an address that somebody has and about one that nobody has. */
interface Kind {
  what: string;
  /** The status of its answer. */
  status: number;
  /** The two ways to ask it. Both people were made alike; the first one's address is the one that is had. */
  had(first: Person, second: Person): Asked;
  free(first: Person, second: Person, address: string): Asked;
}

const change = (person: Person, email: string): Asked => ({
  key: 'PATCH /web/profile',
  token: person.token,
  body: { email, current_password: goodPassword },
});
const again = (person: Person): Asked => ({ key: 'POST /web/verify-email', token: person.token });

/** In this order: an address is sent to again after it was changed. */
const kinds: Kind[] = [
  {
    what: 'a forgotten password',
    status: 200,
    had: ({ email }) => ({ key: 'POST /forgot-password', body: { email } }),
    free: (_first, _second, email) => ({ key: 'POST /forgot-password', body: { email } }),
  },
  {
    what: 'a login with a wrong password',
    status: 400,
    had: ({ email }) => ({ key: 'POST /login/web', body: { email, password: 'not the password' } }),
    free: (_first, _second, email) => ({ key: 'POST /login/web', body: { email, password: 'not the password' } }),
  },
  {
    what: 'a change of address',
    status: 200,
    had: (first, second) => change(second, first.email),
    free: (first, _second, email) => change(first, email),
  },
  { what: 'sending to the new address again', status: 200, had: (_first, second) => again(second), free: (first) => again(first) },
];

/** Pairs that are asked before any is timed. */
const warmUp = 20;
/** What a question sets going in the background is over by then, and does not slow the next one down. In milliseconds. */
const calm = 80;
/** How far the medians may be apart. */
const tolerance = 0.05;
/** A difference that is noise goes away with more tries; one that is there stays. */
const rounds = 5;

/**
 * Asks each question `tries` times about an address that somebody has and as often about one that nobody has, side by side in random order.
 * The answers must be the same to the letter and, where `timed`, the medians of their times within 5 %.
 */
export async function enumerationDrill(tries: number, timed: boolean, log: (line: string) => void = () => {}): Promise<EnumerationResult> {
  const world = await startWorld({ env: { TRUST_PROXY: 'on' } });
  try {
    const answers = new Map(kinds.map((kind) => [kind, { had: [] as Answer[], free: [] as Answer[] }]));
    const ask = asker(world.url);
    if (timed) await pairs(ask, warmUp, () => {});
    for (let round = 1; ; round++) {
      await pairs(ask, tries, (kind, had, free) => {
        answers.get(kind)?.had.push(had);
        answers.get(kind)?.free.push(free);
      });
      const result = judge(answers, timed);
      log(`round ${round}: ${result.seen.join('; ')}`);
      if (result.wrong.length === 0 || !timed || round === rounds) return result;
    }
  } finally {
    await world.close();
  }
}

async function pairs(ask: (asked: Asked) => Promise<Answer>, tries: number, take: (kind: Kind, had: Answer, free: Answer) => void) {
  for (let i = 0; i < tries; i++) {
    const [first, second] = await Promise.all([newPerson(ask), newPerson(ask)]);
    for (const kind of kinds) {
      const ways = { had: kind.had(first, second), free: kind.free(first, second, address()) };
      const had = randomInt(2) === 0 ? await calmly(ask, ways.had) : null;
      const free = await calmly(ask, ways.free);
      take(kind, had ?? (await calmly(ask, ways.had)), free);
    }
  }
}

async function calmly(ask: (asked: Asked) => Promise<Answer>, asked: Asked): Promise<Answer> {
  await sleep(calm);
  return ask(asked);
}

/** All addresses are of the same length. */
const address = () => `${randomUUID()}@example.org`;

async function newPerson(ask: (asked: Asked) => Promise<Answer>): Promise<Person> {
  const email = address();
  await ask({ key: 'POST /register', body: { name: 'Ann Example', email, password: goodPassword } });
  const { body } = await ask({ key: 'POST /login/web', body: { email, password: goodPassword } });
  return { email, token: (JSON.parse(body) as { web_token: string }).web_token };
}

function judge(answers: Map<Kind, { had: Answer[]; free: Answer[] }>, timed: boolean): EnumerationResult {
  const [seen, wrong]: [string[], string[]] = [[], []];
  for (const [{ what, status }, { had, free }] of answers) {
    const said = new Set([...had, ...free].map(withoutWhatAlwaysDiffers));
    if (said.size !== 1) wrong.push(`${what} has ${said.size} different answers: ${[...said].slice(0, 3).join(' | ')}`);
    if (had[0]?.status !== status) wrong.push(`${what} was answered ${had[0]?.status} and should be ${status}`);
    const { medians, difference } = medianDifference(had, free);
    const slower = had.filter(({ ms }, i) => ms > (free[i]?.ms ?? 0)).length;
    seen.push(`${what}: ${medians.map((ms) => ms.toFixed(2)).join(' and ')} ms, the first longer in ${slower} of ${had.length}`);
    if (timed && difference > tolerance) wrong.push(`${what} takes ${(difference * 100).toFixed(1)} % longer for one than for the other`);
  }
  return { seen, wrong };
}
