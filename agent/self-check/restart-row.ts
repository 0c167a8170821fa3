import { failed, notPlayed, type Outcome, type PlayedRow, passed, type RowTools } from './rows.ts';

/** The limit of the release checks. */
const BACK_WITHIN_MS = 5000;
/** Asked for longer than the limit, so that a late restart is measured and not only missed. */
const GIVEN_UP_MS = 12_000;
const POLL_MS = 100;

export interface RestartDeps {
  number: number;
  /** Null while the service has no process. */
  mainPid: (tools: RowTools) => Promise<number | null>;
  /** Null when the output is unknown. */
  resolves: (tools: RowTools) => Promise<boolean | null>;
  startService: (tools: RowTools) => Promise<unknown>;
}

/** Ends the agent's process: a name must resolve at once, and the service manager must start the agent again. */
export function restartRow({ number, mainPid, resolves, startService }: RestartDeps): PlayedRow {
  return {
    ...{ how: 'played', number, part: 'ended by force', needs: ['service', 'administrator', 'restart'], limitSeconds: 30 },
    step: 'End the process of the service, and look up a name at once.',
    expected: 'The name resolves, and the agent is back within five seconds.',
    async play(tools): Promise<Outcome> {
      const { system } = tools;
      const pidBefore = await mainPid(tools);
      if (pidBefore === null) return notPlayed('The service has no process that could be ended.');
      const endedAt = system.now();
      if (!(await system.kill(pidBefore))) return notPlayed('The process of the service could not be ended.');
      const resolvedAtOnce = await resolves(tools);
      let backMs: number | null = null;
      while (backMs === null && system.now() - endedAt < GIVEN_UP_MS) {
        const pid = await mainPid(tools);
        if (pid !== null && pid !== pidBefore && (await system.agentStatus()) !== null) backMs = system.now() - endedAt;
        else await system.wait(POLL_MS);
      }
      const nameSentence =
        resolvedAtOnce === null ? 'Whether a name resolved is unknown.' : `The name ${resolvedAtOnce ? 'resolved' : 'did not resolve'}.`;
      if (backMs === null) return failed(`${nameSentence} The agent was not back after ${GIVEN_UP_MS} ms.`);
      const evidence = `${nameSentence} The agent was back after ${backMs.toFixed(0)} ms.`;
      if (resolvedAtOnce === false || backMs > BACK_WITHIN_MS) return failed(evidence);
      return resolvedAtOnce === null ? notPlayed(evidence) : passed(evidence);
    },
    async undo(tools) {
      if ((await mainPid(tools)) === null) await startService(tools);
    },
  };
}
