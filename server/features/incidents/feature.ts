import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { MakeOwnCall } from '../../http/own-calls.ts';
import type { Kernel } from '../../kernel.ts';
import type { Authority, HoldSettingsPort, Reader } from '../../ports.ts';
import { firstName } from '../../texts/formatting.ts';
import { type AnswerDeps, incidentAnswers } from './answers.ts';
import { belongingStore } from './belonging-store.ts';
import { callsWait } from './calls-wait.ts';
import { incidentEnds } from './ends.ts';
import { type HoldFactStore, holdFactStore } from './fact-store.ts';
import { firstHours } from './first-hours.ts';
import { type HoldDeps, holds } from './holds.ts';
import { incidentOpeners, type OpenerDeps } from './openers.ts';
import { incidentInPolicy } from './policy-part.ts';
import { requestCallJobs } from './request-calls.ts';
import { requestStore } from './request-store.ts';
import { type IncidentRouteDeps, incidentRoutes } from './routes.ts';
import { answersInPolicy, startAnswerStore } from './start-answers.ts';
import { from_account, type IncidentRow, type IncidentStore, incidentStore } from './store.ts';
import { type TakeBackDeps, takeBack } from './take-back.ts';
import { incidentViews, type ViewDeps } from './view.ts';

type Records = ReturnType<typeof incidentRecords>;
type Opened = ReturnType<typeof incidentFeature>;

/** What is stored of incidents. Parts that are made before incidents can open read it. */
export function incidentRecords({ db, clock }: Pick<Kernel, 'db' | 'clock'>) {
  const incidents = incidentStore(db, clock);
  const belonging = belongingStore(db);
  return {
    incidents,
    belonging,
    facts: holdFactStore(clock),
    requests: requestStore(db, clock),
    startAnswers: startAnswerStore(clock),
    incidentOf: incidents.withState,
    lockedIncident: incidents.lockedWithState,
    incidentAt: async (trx: Trx, account: string, device: string) => (await incidents.openAt(account, device, trx))?.uuid ?? null,
    noteCodeShown: (trx: Trx, incident: string, { person, name }: { person: string; name: string }, time: Date) =>
      incidents.addEvent(trx, incident, { kind: 'code_shown', person, name, what: null, time }),
    /** Whether a program was ended since the incident opened. */
    async hasStopped(uuid: string) {
      const row = await incidents.find(uuid);
      return row !== undefined && (await belonging.detections(row.device, row.opened, clock.now())).some(({ blocked }) => blocked);
    },
  };
}

/** Stores *I’m on it* of somebody, which at an own computer is only from the account (P18.2). */
export const onItNotes =
  ({ incidents }: Records, authority: Pick<Authority, 'counts'>) =>
  async (trx: Trx, row: { uuid: string; account: string; device: string }, who: { person: string; name: string }, since: Date | null) => {
    const counts = await authority.counts({ account: row.account, person: who.person }, row, trx);
    await incidents.note(trx, row.uuid, 'on_it', who, { since, what: counts ? null : from_account });
  };

interface IncidentAsks
  extends Pick<OpenerDeps, 'hasValidPlan' | 'endMails' | 'isEscalating'>,
    Pick<HoldDeps, 'activeGuardians' | 'guardiansOf' | 'someoneElses' | 'connected' | 'devicesNear' | 'proofState'> {
  authority: Authority;
  settings: HoldSettingsPort;
  takeBack: Omit<TakeBackDeps, 'askFirst'>;
  allowable(trx: Trx): Promise<(identifier: string) => boolean>;
}

/** Incidents open and end, and calls that weaken protection wait meanwhile. */
export function incidentFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'enqueue' | 'notify' | 'events'>,
  { incidents, facts, requests }: Records,
  asks: IncidentAsks,
) {
  const takesBack = takeBack({ ...asks.takeBack, askFirst: (trx, account) => asks.settings.setAskFirst(trx, account, true) });
  const programs = firstHours({
    ...{ ...kernel, ...asks, incidents, facts, requests, takeBack: takesBack },
    isAllowable: async (trx, identifier) => (await asks.allowable(trx))(identifier),
  });
  const openers = incidentOpeners({ ...kernel, ...asks, incidents, facts, firstHours: programs });
  const ends = incidentEnds({ ...kernel, ...asks, incidents, facts });
  return {
    takesBack,
    ended: ends.ended,
    ports: {
      open: openers.open,
      noteStarts: openers.starts,
      lockForStarts: facts.lockForReport,
      restrictionsAt: programs.restrictionsAt,
      inPolicy: {
        incident: incidentInPolicy({ db: kernel.db, authority: asks.authority }),
        recent: programs.inPolicy,
        answers: answersInPolicy,
      },
      holds: holds({ ...kernel, ...asks, incidents, openers, requests, facts, programs }),
    },
    jobs: { incident_end: ends.job, first_hour_end: programs.endJob, incident_checkup: incidentCheckup({ ...kernel, incidents, facts }) },
  };
}

interface AnswerAsks
  extends Pick<AnswerDeps, 'onIt' | 'allow' | 'checkCode' | 'requireProof' | 'authority'>,
    Pick<IncidentRouteDeps, 'settings' | 'sendCode'>,
    Pick<ViewDeps, 'renamesOf' | 'guardiansOf' | 'deliveriesOf' | 'escalationOnPage'> {
  allowable(): Promise<(identifier: string) => boolean>;
}

interface Guardian {
  uuid: string;
  account: string;
  name: string;
  accepted: Date | null;
}
type Caller = Pick<Reader, 'ip' | 'browser_near'>;

/** The pages of incidents, and the answers that people give there. */
export function incidentAnswerFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'limit' | 'events' | 'enqueue' | 'sealer' | 'notify' | 'weaken' | 'weakening' | 'nameOf'>,
  records: Records,
  { takesBack, ended }: Opened,
  asks: AnswerAsks,
) {
  const { db } = kernel;
  const { incidents, belonging, facts, requests, startAnswers } = records;
  const { authority, settings } = asks;
  const stoppedIn = async (row: IncidentRow) => belonging.stoppedIn(row, await asks.allowable());
  const waiting = callsWait(incidents, settings);
  const views = incidentViews({
    ...{ ...kernel, ...asks, incidents, belonging, requests, stoppedIn },
    callsWait: waiting,
    deviceWords: (account, device) => facts.deviceWords(db, account, device),
  });
  const answers = incidentAnswers({
    ...{ ...kernel, ...asks, incidents, requests, facts, stoppedIn, ended },
    takeBack: takesBack,
    answerStart: startAnswers.set,
  });
  const readerOf = ({ uuid, account, name }: Guardian, accepted: Date, caller: Caller): Reader => ({
    ...{ kind: 'guardian', account, person: uuid, name: firstName(name), accepted },
    ...caller,
  });
  return {
    ports: {
      refuseAll: answers.refuseAll,
      incidentsOf: views.ofGuardian,
      requestsOf: async (guardian: Guardian, caller: Caller) =>
        guardian.accepted ? views.requestsOf(readerOf(guardian, guardian.accepted, caller)) : [],
      /** A guardian's *I'm on it* about an alert is one about its open incident as well. */
      async onIt(trx: Trx, guardian: Guardian, alert: { uuid: string; device: string; time: Date }, caller: Caller) {
        const incident = (await incidents.ofAlerts(guardian.account, [alert])).get(alert.uuid);
        const row = incident === undefined ? undefined : await records.lockedIncident(trx, incident);
        if (!row?.open || !guardian.accepted) return;
        const reader = readerOf(guardian, guardian.accepted, caller);
        // Beside the computer only the incident's page, which asks for a code, takes this answer (P10.2).
        if ((await authority.ofPlace(reader, row.device, trx)).may === 'yes') await asks.onIt(trx, row.uuid, reader);
      },
    },
    jobs: (makeOwnCall: MakeOwnCall) => requestCallJobs({ ...kernel, requests, facts, callsWait: waiting, makeOwnCall }),
    routes: (http: FastifyInstance, late: Pick<IncidentRouteDeps, 'gates' | 'activeGuardian'>) =>
      incidentRoutes(http, { ...kernel, ...late, ...asks, incidents, requests, answers, views }),
  };
}

interface CheckupDeps extends Pick<Kernel, 'db' | 'notify'> {
  incidents: IncidentStore;
  facts: HoldFactStore;
}

/** Asks the holder and the guardians once, the day after an incident opened, how it went (P9.2). */
function incidentCheckup({ db, incidents, facts, notify }: CheckupDeps) {
  return ({ incident }: { incident: string }) =>
    db.transaction().execute(async (trx) => {
      const row = await incidents.byUuid(trx, incident);
      if (!row || row.asked_how) return;
      await incidents.markAskedHow(trx, incident);
      const { person, time_zone } = await facts.deviceWords(trx, row.account, row.device);
      const about = { incident, device: row.device_name, person, opened: row.opened, time_zone };
      await notify(trx, row.account, { kind: 'incident_checkup', facts: about });
    });
}
