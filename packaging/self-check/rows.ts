import type { LocalStatus } from '@porchlight/contract/loopback.ts';
import type { CheckedSystem, CommandOutput } from './system.ts';

export const verdictWords = { held: 'HELD', not_held: 'NOT HELD', not_played: 'NOT PLAYED' } as const;
export type Verdict = keyof typeof verdictWords;

export interface Outcome {
  verdict: Verdict;
  /** What was measured or printed, in lines. Redacted and shortened only in the report. */
  evidence: string;
}

/**
 * What a row needs before it is played. `guardian`: causes a real alert, so that the user must agree first. `restart`: ends the agent's
 * process, so that the user must agree first. `tool`: a real download, from `--tool`. `service`: the agent is installed as a service.
 */
export type Need = 'administrator' | 'guardian' | 'restart' | 'tool' | 'service';

export interface RowTools {
  system: CheckedSystem;
  /** Null when an agent answers that belongs to another server. */
  status: LocalStatus | null;
  /** The file name under which a harmless program is started as a remote-control tool. */
  toolName: string;
  toolPath: string | null;
  /** Windows: the folder of the installed program, and the folder of its state. */
  folders: { program: string; state: string };
}

export interface Row {
  /** The number in `docs/release-checks.md`. */
  number: number;
  /** Which part of the row, when it has several. */
  part?: string;
  /** What happens when a program plays the row; the document has the whole step. */
  step: string;
  expected: string;
  needs?: Need[];
  limitSeconds: number;
  /** For what only the user can see: answered by yes when it is as expected. */
  question?: string;
  play(tools: RowTools): Promise<Outcome>;
  /** Always run after `play`, also after a crash, a timeout or Ctrl+C. Idempotent. */
  undo?(tools: RowTools): Promise<void>;
}

export const passed = (evidence: string): Outcome => ({ verdict: 'held', evidence });
export const failed = (evidence: string): Outcome => ({ verdict: 'not_held', evidence });
export const notPlayed = (evidence: string): Outcome => ({ verdict: 'not_played', evidence });

/** True: as expected. False: not as expected. Null: the output is unknown, which never counts as expected. */
export type Finding = boolean | null;

export function outcomeOf(finding: Finding, evidence: string): Outcome {
  if (finding === null) return notPlayed(`This output is unknown, so it proves nothing.\n${evidence}`);
  return finding ? passed(evidence) : failed(evidence);
}

export const evidenceOf = (command: string[], { code, output }: CommandOutput) =>
  `$ ${command.join(' ')}\n${output.trim() || '(no output)'}\n(exit code ${code ?? 'unknown'})`;

/** Runs a command and reads its output. A command that is absent, or did not end in time, is not played. */
export async function playCommand(
  { system }: Pick<RowTools, 'system'>,
  command: [string, ...string[]],
  read: (output: string, code: number) => Finding,
): Promise<Outcome> {
  const result = await system.run(...command);
  const evidence = evidenceOf(command, result);
  return result.code === null
    ? notPlayed(`The command did not run to its end.\n${evidence}`)
    : outcomeOf(read(result.output, result.code), evidence);
}

/** Reads with PowerShell what the classic commands print in the language of the user. The script must not contain double quotes. */
export const powershell = (script: string): [string, ...string[]] => [
  'powershell',
  '-NoProfile',
  '-NonInteractive',
  '-Command',
  `[Console]::OutputEncoding = [Text.Encoding]::UTF8; ${script}`,
];

/** A row about what only the user can see. `seconds`: longer where the user must open something first. */
export const asked = (
  ...[number, part, step, expected, question, needs = [], seconds = 20]: [
    ...[number: number, part: string, step: string, expected: string, question: string],
    ...[needs?: Need[], seconds?: number],
  ]
): Row => ({
  ...{ number, part, step, expected, question, needs },
  limitSeconds: seconds,
  async play({ system }) {
    // Shorter than the limit of the row, because the end of the question gives the reason.
    const answer = await system.ask(question, seconds - 0.5);
    if (answer === 'skip') return notPlayed('Nobody answered the question.');
    return answer === 'yes' ? passed('The user answered yes.') : failed('The user answered no.');
  },
});

/** How a row is named in print: `9 (renamed)`. */
export const nameOf = ({ number, part }: Pick<Row, 'number' | 'part'>) => (part ? `${number} (${part})` : String(number));
