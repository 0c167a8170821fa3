import { type Need, nameOf, notPlayed, type Outcome, passed, type Row, type RowTools, verdictWords } from './rows.ts';

/** The whole self-check ends within this time, whatever the rows do. */
export const MAX_MS = 600_000;
const UNDO_LIMIT_MS = 15_000;
const CONSENT_SECONDS = 60;

export interface RowResult extends Outcome {
  row: string;
  number: number;
  step: string;
  expected: string;
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
  const endsAgent = (row: Row) => Number(row.needs?.includes('restart') ?? false);
  for (const row of rows.toSorted((a, b) => endsAgent(a) - endsAgent(b) || a.number - b.number)) {
    const rowStartedAt = system.now();
    const outcome = await outcomeOfRow(row);
    const seconds = Math.round((system.now() - rowStartedAt) / 100) / 10;
    const { number, step, expected } = row;
    results.push({ row: nameOf(row), number, step, expected, seconds, ...outcome });
    print(`${nameOf(row)}: ${verdictWords[outcome.verdict]}. ${step} Expected: ${expected}`);
    if (outcome.verdict !== 'held') print(`    ${outcome.evidence.split('\n')[0]}`);
  }
  return results;

  async function outcomeOfRow(row: Row): Promise<Outcome> {
    if (signal.aborted) return notPlayed('The self-check was stopped before this row.');
    for (const need of row.needs ?? []) {
      const why = await missing(need);
      if (why) return notPlayed(why);
    }
    // After a consent was asked for, which takes time too.
    if (system.now() - startedAt + row.limitSeconds * 1000 > MAX_MS) return notPlayed('The time of the self-check was over.');
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
function limited(work: () => Promise<Outcome>, limitMs: number, signal?: AbortSignal): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const end = (reason: string) => resolve(notPlayed(reason));
  const stop = () => end('The self-check was stopped during this row.');
  const timer = setTimeout(() => end(`The row did not end within ${limitMs / 1000} s.`), limitMs);
  signal?.addEventListener('abort', stop, { once: true });
  Promise.resolve()
    .then(work)
    .then(resolve, (err: unknown) => end(`The row itself failed: ${err instanceof Error ? err.message : String(err)}`));
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  });
}

const serviceQuestions: Record<RowTools['system']['platform'], [string, ...string[]]> = {
  win32: ['sc', 'query', 'Porchlight'],
  darwin: ['launchctl', 'print', 'system/example.porchlight.agent'],
  linux: ['systemctl', 'show', '-p', 'LoadState', 'porchlight-agent.service'],
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
      const { output, code } = await system.run(...serviceQuestions[system.platform]);
      // systemd answers about a service that it does not know too.
      const isThere = system.platform === 'linux' ? output.includes('LoadState=loaded') : code === 0;
      return isThere ? null : 'Porchlight is not installed as a service here.';
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
