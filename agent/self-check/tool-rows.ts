import { failed, notPlayed, type Outcome, type PlayedRow, passed, type RowTools } from './rows.ts';
import type { CheckedSystem } from './system.ts';

/** The limit of the release checks. */
const ENDED_WITHIN_MS = 500;
/** A tool that still runs by then is ended by its id. */
const GIVEN_UP_MS = 10_000;
export const neverRan = 'did not start at all';
/** What ends every copy may end the harmless one a moment later. */
const AFTERWARDS_MS = 1000;
/** How long a harmless program goes on alone: as long as ending a tool may take. */
const HARMLESS_MS = 2000;

/** A program of the system that waits for a minute and then ends alone, should this process be killed. */
interface Waiter {
  file: string;
  args: string[];
  suffix: string;
}

export const waiters: Record<CheckedSystem['platform'], Waiter> = {
  win32: { file: 'C:\\Windows\\System32\\ping.exe', args: ['-n', '60', '127.0.0.1'], suffix: '.exe' },
  darwin: { file: '/bin/sleep', args: ['60'], suffix: '' },
  linux: { file: '/bin/sleep', args: ['60'], suffix: '' },
};

async function startCopy({ system }: RowTools, source: string, name: string, args: string[]) {
  const path = await system.copyProgram(source, name);
  return path === null ? null : system.start(path, args);
}

/**
 * Starts a copy of `source` under a name, beside a harmless program under a harmless name. Only while the harmless one goes on does the end
 * of the other prove anything: a system that runs no copies ends both. `printsAtOnce`: without output it never ran, and on Windows another
 * program was started in its place, whose lifetime says nothing.
 */
export async function playStart(tools: RowTools, source: string, name: string, args: string[], printsAtOnce: boolean): Promise<Outcome> {
  const waiter = waiters[tools.system.platform];
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
  if (tools.system.platform === 'win32' && printsAtOnce && tool.output().trim() === '') {
    return passed(`${name} ${neverRan}. What Windows started in its place ended after ${endedMs.toFixed(0)} ms.`);
  }
  const evidence = `${name} ended after ${endedMs.toFixed(0)} ms; a harmless program beside it went on.`;
  return endedMs <= ENDED_WITHIN_MS ? passed(evidence) : failed(`${evidence} That is more than ${ENDED_WITHIN_MS} ms.`);
}

const cleanUp = ({ system }: RowTools) => system.cleanUp();

/** The rows about starting a remote-control tool, which have another number on each system. */
export const toolRows = (number: number): PlayedRow[] => [
  {
    ...{ how: 'played', number, part: 'harmless name', limitSeconds: 6 },
    step: 'Start a harmless program of the system under a harmless name.',
    expected: 'It goes on.',
    async play(tools) {
      const { file, args, suffix } = waiters[tools.system.platform];
      const harmless = await startCopy(tools, file, `holiday-photos${suffix}`, args);
      if (!harmless) return notPlayed(`A copy of ${file} could not be started.`);
      const endedMs = await harmless.endedAfter(HARMLESS_MS);
      return endedMs === null ? passed(`It still ran after ${HARMLESS_MS} ms.`) : failed(`It ended after ${endedMs.toFixed(0)} ms.`);
    },
    undo: cleanUp,
  },
  {
    ...{ how: 'played', number, part: 'its own name', needs: ['guardian'], limitSeconds: 15 },
    step: 'Start a harmless program of the system under the name of a remote-control tool.',
    expected: 'It is ended within half a second, and a harmless one beside it goes on.',
    play(tools) {
      const { file, args, suffix } = waiters[tools.system.platform];
      return playStart(tools, file, `${tools.toolName}${suffix}`, args, true);
    },
    undo: cleanUp,
  },
  {
    ...{ how: 'played', number, part: 'renamed', needs: ['tool', 'guardian'], limitSeconds: 15 },
    step: 'Start a real download of a remote-control tool, renamed.',
    expected: 'It is ended within half a second, and a harmless one beside it goes on.',
    play: (tools) => playStart(tools, tools.toolPath ?? '', `photos${waiters[tools.system.platform].suffix}`, [], false),
    undo: cleanUp,
  },
];
