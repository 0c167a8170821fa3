import type { FastifyInstance } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import type { MakeOwnCall } from '../../http/own-calls.ts';
import type { Authority, HoldSettingsPort, Readers, SuspensionLookup, WaitingEntries } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import type { DeviceRows, HoldingGate } from '../../ports.ts';
import { type RequestAnswerDeps, requestAnswers, suspendedRequests } from './answers.ts';
import { type CallsWait, callsWait } from './calls-wait.ts';
import { holdFactStore } from './fact-store.ts';
import { type HoldDeps, holds } from './holds.ts';
import { nextChanges } from './next-change.ts';
import { waitingPrograms } from './programs.ts';
import { requestCallJobs } from './request-calls.ts';
import { requestStore } from './request-store.ts';
import { requestRoutes } from './routes.ts';
import { answersInPolicy, startAnswerStore } from './start-answers.ts';
import { type TakeBackDeps, takeBack } from './take-back.ts';
import { type RequestViewDeps, requestViews } from './view.ts';

interface HeldRequestAsks
  extends Pick<HoldDeps, 'guardiansOf' | 'someoneElses' | 'connected' | 'devicesNear' | 'proofState'>,
    Pick<RequestAnswerDeps, 'requireProof' | 'checkCode'> {
  activeGuardians(account: string, connection?: Db | Trx): Promise<{ uuid: string; name: string; accepted: Date | null }[]>;
  devices: DeviceRows;
  incidents: HoldDeps['incidents'] & { hasOpen: CallsWait };
  authority: Authority;
  settings: HoldSettingsPort;
  takeBack: Omit<TakeBackDeps, 'askFirst' | 'entries'>;
  entries: WaitingEntries;
  readers: Readers;
  allowable(trx: Trx): Promise<(identifier: string) => boolean>;
}

interface AnswerAsks extends Pick<RequestAnswerDeps, 'allow'>, Pick<RequestViewDeps, 'quotedHolder'> {
  suspensionAt: SuspensionLookup;
}

/** What weakens protection waits for a yes (P10.1), and so do programs (P9.1, P12.3). */
export function heldRequestFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'enqueue' | 'notify' | 'events'>,
  { takeBack: takeBackAsks, ...asks }: HeldRequestAsks,
) {
  const { db, clock } = kernel;
  const { settings, incidents } = asks;
  const [requests, facts] = [requestStore(db, clock), holdFactStore(clock, asks.devices)];
  const stored = { ...kernel, ...asks, requests, facts };
  const takesBack = takeBack({
    ...takeBackAsks,
    entries: asks.entries,
    askFirst: (trx, account) => settings.setAskFirst(trx, account, true),
  });
  const waiting = callsWait(incidents.hasOpen, settings);
  const foretold = nextChanges(stored);
  const programs = waitingPrograms({
    ...{ ...stored, takeBack: takesBack },
    isAllowable: async (trx, identifier) => (await asks.allowable(trx))(identifier),
  });
  return {
    ports: {
      programs,
      lockCalls: facts.lockCalls,
      lockForStarts: facts.lockForReport,
      countOpenRequests: requests.countOpen,
      restrictionsAt: programs.restrictionsAt,
      outlookOf: foretold.outlookOf,
      inPolicy: { recent: programs.inPolicy, answers: answersInPolicy },
      /** The one gate, once incidents can open. */
      gate: (opens: Pick<HoldDeps, 'open' | 'openByReport'>): HoldingGate => holds({ ...stored, ...opens, programs }),
    },
    jobs: { first_hour_end: programs.endJob },
    /** The answers, once what a yes lets through can be done. */
    answering(late: Pick<Kernel, 'weaken' | 'weakening'>, { allow, quotedHolder, suspensionAt }: AnswerAsks) {
      const suspended = suspendedRequests(suspensionAt);
      const views = requestViews({ ...stored, quotedHolder, suspended, callsWait: waiting });
      const answers = requestAnswers({
        ...{ ...stored, ...late, allow, suspended },
        takeBack: takesBack,
        answerStart: startAnswerStore(clock).set,
      });
      return {
        ports: {
          refuseAll: answers.refuseAll,
          allowHour: answers.allowHour,
          requestsOnPage: views.onPage,
          async requestsOf(...guardian: Parameters<Readers['ofGuardian']>) {
            const reader = asks.readers.ofGuardian(...guardian);
            return reader ? views.recent(reader) : [];
          },
        },
        jobs: (makeOwnCall: MakeOwnCall) => requestCallJobs({ ...stored, callsWait: waiting, makeOwnCall }),
        routes: (http: FastifyInstance, { gates }: Pick<Kernel, 'gates'>) =>
          requestRoutes(http, { ...late, ...asks, gates, settings, answers, views, ...foretold }),
      };
    },
  };
}
