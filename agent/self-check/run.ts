import { setTimeout as sleep } from 'node:timers/promises';
import { failed, type Need, nameOf, notPlayed, type Outcome, passed, type Row, type RowTools, type Verdict } from './rows.ts';

/** The whole self-check ends within this time, whatever the rows do. */
export const MAX_MS = 600_000;
const UNDO_LIMIT_MS = 15_000;
const CONSENT_SECONDS = 60;

export interface RowResult extends Outcome {
  row: string;
  number: number;
  step: string;
  expected: string;
  how: Row['how'];
  seconds: number;
}

export interface RunDeps {
  rows: Row[];
  tools: RowTools;
  /** What the user agreed to on the command line. */
  agreed: { guardian: boolean; restart: boolean };
  /** Aborted by Ctrl+C. */
  signal: AbortSignal;
  print: (line: string) => void;
}

const verdictWords: Record<Verdict, string> = { held: 'HELD', not_held: 'NOT HELD', not_played: 'NOT PLAYED' };
const consents = {
  guardian: {
    notice:
      'The next rows start programs that Porchlight must stop. A REAL ALERT goes to the guardian, and an incident stays open until the guardian ends it.',
    question: 'Did you warn the guardian, and may these rows be played?',
    refused: 'It causes a real alert, and nobody confirmed that the guardian is warned (--guardian-knows).',
  },
  restart: {
    notice: 'The next row ends the process of Porchlight by force, to see that it comes back.',
    question: 'May this row be played?',
    refused: 'It ends the process of Porchlight, and nobody agreed to that (--may-restart).',
  },
} as const;

/** Plays the rows in the order of their numbers. Each row has its limit, and its undo always runs. Rows that end the agent come last. */
export async function runRows({ rows, tools, agreed, signal, print }: RunDeps): Promise<RowResult[]> {
  const { system } = tools;
  const startedAt = system.now();
  const results: RowResult[] = [];
  const missing = neededFor(tools, agreed, print);
  const endsAgent = ({ how, ...row }: Row) => how === 'played' && 'needs' in row && row.needs?.includes('restart') === true;
  const inOrder = rows.toSorted((a, b) => a.number - b.number);
  for (const row of [...inOrder.filter((one) => !endsAgent(one)), ...inOrder.filter(endsAgent)]) {
    const rowStartedAt = system.now();
    const outcome = await outcomeOfRow(row);
    const seconds = Math.round((system.now() - rowStartedAt) / 100) / 10;
    const { number, step, expected, how } = row;
    results.push({ row: nameOf(row), number, step, expected, how, seconds, ...outcome });
    print(`${nameOf(row)}: ${verdictWords[outcome.verdict]}. ${step} Expected: ${expected}`);
    if (outcome.verdict !== 'held') print(`    ${outcome.evidence.split('\n')[0]}`);
  }
  return results;

  async function outcomeOfRow(row: Row): Promise<Outcome> {
    if (row.how === 'by_hand') return notPlayed(`By hand: ${row.reason}`);
    if (signal.aborted) return notPlayed('The self-check was stopped before this row.');
    for (const need of row.needs ?? []) {
      const why = await missing(need);
      if (why) return notPlayed(why);
    }
    // After a consent was asked for, which takes time too.
    if (system.now() - startedAt + row.limitSeconds * 1000 > MAX_MS) return notPlayed('The time of the self-check was over.');
    if (row.how === 'asked') {
      const answer = await system.ask(row.question, row.limitSeconds);
      if (answer === 'skip') return notPlayed('Nobody answered the question.');
      return answer === 'yes' ? passed('The user answered yes.') : failed('The user answered no.');
    }
    try {
      return await limited(() => row.play(tools), row.limitSeconds * 1000, signal);
    } finally {
      // In this order, because the second one ends what the first one still runs; each with a limit of its own.
      for (const putBack of [async () => row.undo?.(tools), () => system.cleanUp()]) {
        const { verdict, evidence } = await limited(() => putBack().then(() => passed('')), UNDO_LIMIT_MS);
        if (verdict !== 'held') print(`    Something could not be put back. ${evidence}`);
      }
    }
  }
}

/** Ends with an outcome, also when the work fails, takes too long or is stopped. */
async function limited(work: () => Promise<Outcome>, limitMs: number, signal?: AbortSignal): Promise<Outcome> {
  const ended = new AbortController();
  const options = { signal: ended.signal };
  const stopped = Promise.withResolvers<Outcome>();
  const stop = () => stopped.resolve(notPlayed('The self-check was stopped during this row.'));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([
      settled(work),
      sleep(limitMs, notPlayed(`The row did not end within ${limitMs / 1000} s.`), options).catch(() => notPlayed('')),
      stopped.promise,
    ]);
  } finally {
    ended.abort();
    signal?.removeEventListener('abort', stop);
  }
}

async function settled(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (err) {
    return notPlayed(`The row itself failed: ${err instanceof Error ? err.message : String(err)}`);
  }
}

const serviceQuestions: Record<
  RowTools['system']['platform'],
  { command: [string, ...string[]]; isThere: (output: string, code: number | null) => boolean }
> = {
  win32: { command: ['sc', 'query', 'Porchlight'], isThere: (_output, code) => code === 0 },
  darwin: { command: ['launchctl', 'print', 'system/example.porchlight.agent'], isThere: (_output, code) => code === 0 },
  linux: {
    command: ['systemctl', 'show', '-p', 'LoadState', 'porchlight-agent.service'],
    isThere: (output) => output.includes('LoadState=loaded'),
  },
};

/** Returns a function that says why a need is not met; null when it is. Each is asked once. */
function neededFor({ system, toolPath }: RowTools, agreed: RunDeps['agreed'], print: RunDeps['print']) {
  const answers = new Map<Need, Promise<string | null>>();
  const consent = async (name: 'guardian' | 'restart') => {
    if (agreed[name]) return null;
    const { notice, question, refused } = consents[name];
    print(notice);
    return (await system.ask(question, CONSENT_SECONDS)) === 'yes' ? null : refused;
  };
  const find: Record<Need, () => Promise<string | null>> = {
    administrator: async () => ((await system.isAdministrator()) ? null : 'It needs an administrator’s terminal.'),
    async service() {
      const { command, isThere } = serviceQuestions[system.platform];
      const { output, code } = await system.run(...command);
      return isThere(output, code) ? null : 'Porchlight is not installed as a service here.';
    },
    tool: async () => (toolPath ? null : 'Give a real download with --tool PATH.'),
    guardian: () => consent('guardian'),
    restart: () => consent('restart'),
  };
  return (need: Need): Promise<string | null> => {
    const known = answers.get(need) ?? find[need]().catch((err: unknown) => `Whether it can be played is unknown: ${String(err)}`);
    answers.set(need, known);
    return known;
  };
}
