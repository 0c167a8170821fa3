import { failed, notPlayed, type Outcome, passed, type Row, type RowTools } from './rows.ts';

/** The limit of the release checks. */
const ENDED_WITHIN_MS = 500;
/** A tool that still runs by then is ended by its id. */
const GIVEN_UP_MS = 10_000;
/** What ends every copy may end the harmless one a moment later. */
const AFTERWARDS_MS = 1000;
/** How long a harmless program goes on alone: as long as ending a tool may take. */
const HARMLESS_MS = 2000;

/** A program of the system that waits for a minute and then ends alone, should this process be killed. */
const waiterOf = ({ system }: RowTools) =>
  system.platform === 'win32'
    ? { file: 'C:\\Windows\\System32\\ping.exe', args: ['-n', '60', '127.0.0.1'], suffix: '.exe' }
    : { file: '/bin/sleep', args: ['60'], suffix: '' };

async function startCopy({ system }: RowTools, source: string, name: string, args: string[]) {
  const path = await system.copyProgram(source, name);
  return path === null ? null : system.start(path, args);
}

interface StartResult {
  endedMs: number;
  /** `never`: the program itself did not run. `unknown`: it ended before it printed anything. */
  ran: 'never' | 'yes' | 'unknown';
}

/**
 * Starts a copy of `source` under a name, beside a harmless program under a harmless name. Only while the harmless one goes on does the end
 * of the other prove anything: a system that runs no copies ends both. An outcome, where the start proves nothing or nobody ends the program.
 */
async function measureStart(tools: RowTools, source: string, name: string, args: string[]): Promise<Outcome | StartResult> {
  const waiter = waiterOf(tools);
  const harmless = await startCopy(tools, waiter.file, `holiday-photos${waiter.suffix}`, waiter.args);
  if (!harmless) return notPlayed(`A copy of ${waiter.file} could not be started.`);
  const tool = await startCopy(tools, source, name, args);
  if (!tool) return notPlayed(`A copy of ${source} could not be started as ${name}.`);
  const endedMs = await tool.endedAfter(GIVEN_UP_MS);
  const harmlessMs = await harmless.endedAfter(AFTERWARDS_MS);
  if (harmlessMs !== null) {
    return notPlayed(`The harmless program beside it ended too, after ${harmlessMs.toFixed(0)} ms, so this proves nothing about ${name}.`);
  }
  if (endedMs === null) return failed(`${name} still ran after ${GIVEN_UP_MS} ms, and was then ended by the self-check.`);
  if (tool.output().trim() !== '') return { endedMs, ran: 'yes' };
  // Windows starts Porchlight in its place, which ends well; a program that was ended from without, does not.
  const isReplaced = source === waiter.file && tool.exitCode() === 0 && harmless.output().trim() !== '';
  return { endedMs, ran: isReplaced ? 'never' : 'unknown' };
}

/** A tool must end within the limit, unless Windows did not start it in the first place, which `mustNotStart` demands. */
async function playStart(tools: RowTools, source: string, name: string, args: string[], mustNotStart = false): Promise<Outcome> {
  const result = await measureStart(tools, source, name, args);
  if ('verdict' in result) return result;
  const ms = result.endedMs.toFixed(0);
  if (result.ran === 'never') return passed(`${name} did not start at all. What Windows started in its place ended after ${ms} ms.`);
  if (mustNotStart && result.ran === 'yes') return failed(`${name} did start, and was ended after ${ms} ms.`);
  if (mustNotStart) return notPlayed(`${name} was ended after ${ms} ms, before it printed anything, so it is unknown whether it started.`);
  const evidence = `${name} ended after ${ms} ms; a harmless program beside it went on.`;
  return result.endedMs <= ENDED_WITHIN_MS ? passed(evidence) : failed(`${evidence} That is more than ${ENDED_WITHIN_MS} ms.`);
}

export const playDeniedStart = (tools: RowTools, name: string): Promise<Outcome> =>
  playStart(tools, waiterOf(tools).file, name, waiterOf(tools).args, true);

const cleanUp = ({ system }: RowTools) => system.cleanUp();

/** The rows about starting a remote-control tool, which have another number on each system. */
export const toolRows = (number: number): Row[] => [
  {
    ...{ number, part: 'harmless name', limitSeconds: 6 },
    step: 'Start a harmless program of the system under a harmless name.',
    expected: 'It goes on.',
    async play(tools) {
      const { file, args, suffix } = waiterOf(tools);
      const harmless = await startCopy(tools, file, `holiday-photos${suffix}`, args);
      if (!harmless) return notPlayed(`A copy of ${file} could not be started.`);
      const endedMs = await harmless.endedAfter(HARMLESS_MS);
      return endedMs === null ? passed(`It still ran after ${HARMLESS_MS} ms.`) : failed(`It ended after ${endedMs.toFixed(0)} ms.`);
    },
    undo: cleanUp,
  },
  {
    ...{ number, part: 'its own name', needs: ['guardian'], limitSeconds: 15 },
    step: 'Start a harmless program of the system under the name of a remote-control tool.',
    expected: 'It is ended within half a second, and a harmless one beside it goes on.',
    play(tools) {
      const { file, args, suffix } = waiterOf(tools);
      return playStart(tools, file, `${tools.toolName}${suffix}`, args);
    },
    undo: cleanUp,
  },
  {
    ...{ number, part: 'renamed', needs: ['tool', 'guardian'], limitSeconds: 15 },
    step: 'Start a real download of a remote-control tool, renamed.',
    expected: 'It is ended within half a second, and a harmless one beside it goes on.',
    play: (tools) => playStart(tools, tools.toolPath ?? '', `photos${waiterOf(tools).suffix}`, []),
    undo: cleanUp,
  },
];
