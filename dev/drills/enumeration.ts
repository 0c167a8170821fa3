import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { validPassword } from '../people.ts';
import { startWorld } from '../world.ts';
import { type Answer, type ApiCall, comparablePart, medianDifference, newCaller } from './enumeration-tools.ts';

export interface EnumerationResult {
  seen: string[];
  wrong: string[];
}

interface Person {
  email: string;
  token: string;
}

/** A kind of request, sent with a registered and an unregistered address. */
interface Kind {
  what: string;
  status: number;
  /** Both people were created alike; the registered address is that of `first`. */
  registered(first: Person, second: Person): ApiCall;
  unregistered(first: Person, second: Person, address: string): ApiCall;
}

const change = (person: Person, email: string): ApiCall => ({
  key: 'PATCH /web/profile',
  token: person.token,
  body: { email, current_password: validPassword },
});
const resendVerification = (person: Person): ApiCall => ({ key: 'POST /web/verify-email', token: person.token });

/** The order matters: a changed address still receives email. */
const kinds: Kind[] = [
  {
    what: 'a forgotten password',
    status: 200,
    registered: ({ email }) => ({ key: 'POST /forgot-password', body: { email } }),
    unregistered: (_first, _second, email) => ({ key: 'POST /forgot-password', body: { email } }),
  },
  {
    what: 'a login with a wrong password',
    status: 400,
    registered: ({ email }) => ({ key: 'POST /login/web', body: { email, password: 'not the password' } }),
    unregistered: (_first, _second, email) => ({ key: 'POST /login/web', body: { email, password: 'not the password' } }),
  },
  {
    what: 'a change of address',
    status: 200,
    registered: (first, second) => change(second, first.email),
    unregistered: (first, _second, email) => change(first, email),
  },
  {
    what: 'sending to the new address again',
    status: 200,
    registered: (_first, second) => resendVerification(second),
    unregistered: (first) => resendVerification(first),
  },
];

const warmUp = 20;
/** Milliseconds for background work to finish. */
const pauseMs = 80;
const tolerance = 0.05;
/** More rounds remove noise, but not a real difference. */
const rounds = 5;

/** Sends pairs of requests in random order. Answers must be identical and, if `timed`, the medians of their times within 5 %. */
export async function enumerationDrill(tries: number, timed: boolean, log: (line: string) => void = () => {}): Promise<EnumerationResult> {
  const world = await startWorld({ env: { TRUST_PROXY: 'on' } });
  try {
    const answers = new Map(kinds.map((kind) => [kind, { registered: [] as Answer[], unregistered: [] as Answer[] }]));
    const sendCall = newCaller(world.url);
    if (timed) await pairs(sendCall, warmUp, () => {});
    for (let round = 1; ; round++) {
      await pairs(sendCall, tries, (kind, registered, unregistered) => {
        answers.get(kind)?.registered.push(registered);
        answers.get(kind)?.unregistered.push(unregistered);
      });
      const result = evaluate(answers, timed);
      log(`round ${round}: ${result.seen.join('; ')}`);
      if (result.wrong.length === 0 || !timed || round === rounds) return result;
    }
  } finally {
    await world.close();
  }
}

async function pairs(
  sendCall: (apiCall: ApiCall) => Promise<Answer>,
  tries: number,
  onAnswers: (kind: Kind, registered: Answer, unregistered: Answer) => void,
) {
  for (let i = 0; i < tries; i++) {
    const [first, second] = await Promise.all([newPerson(sendCall), newPerson(sendCall)]);
    for (const kind of kinds) {
      const calls = { had: kind.registered(first, second), free: kind.unregistered(first, second, address()) };
      const registered = randomInt(2) === 0 ? await sendAfterPause(sendCall, calls.had) : null;
      const unregistered = await sendAfterPause(sendCall, calls.free);
      onAnswers(kind, registered ?? (await sendAfterPause(sendCall, calls.had)), unregistered);
    }
  }
}

async function sendAfterPause(sendCall: (apiCall: ApiCall) => Promise<Answer>, apiCall: ApiCall): Promise<Answer> {
  await sleep(pauseMs);
  return sendCall(apiCall);
}

const address = () => `${randomUUID()}@example.org`;

async function newPerson(sendCall: (apiCall: ApiCall) => Promise<Answer>): Promise<Person> {
  const email = address();
  await sendCall({ key: 'POST /register', body: { name: 'Ann Example', email, password: validPassword } });
  const { body } = await sendCall({ key: 'POST /login/web', body: { email, password: validPassword } });
  return { email, token: (JSON.parse(body) as { web_token: string }).web_token };
}

function evaluate(answers: Map<Kind, { registered: Answer[]; unregistered: Answer[] }>, timed: boolean): EnumerationResult {
  const [medianLines, problems]: [string[], string[]] = [[], []];
  for (const [{ what, status }, { registered, unregistered }] of answers) {
    const distinctAnswers = new Set([...registered, ...unregistered].map(comparablePart));
    if (distinctAnswers.size !== 1)
      problems.push(`${what} has ${distinctAnswers.size} different answers: ${[...distinctAnswers].slice(0, 3).join(' | ')}`);
    if (registered[0]?.status !== status) problems.push(`${what} was answered ${registered[0]?.status} and should be ${status}`);
    const { medians, difference } = medianDifference(registered, unregistered);
    const slower = registered.filter(({ ms }, i) => ms > (unregistered[i]?.ms ?? 0)).length;
    medianLines.push(
      `${what}: ${medians.map((ms) => ms.toFixed(2)).join(' and ')} ms, the first longer in ${slower} of ${registered.length}`,
    );
    if (timed && difference > tolerance)
      problems.push(`${what} takes ${(difference * 100).toFixed(1)} % longer for one than for the other`);
  }
  return { seen: medianLines, wrong: problems };
}
