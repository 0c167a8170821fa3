import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { isUnreadable } from '../../http/caller-of.ts';
import type { MakeOwnCall } from '../../http/own-calls.ts';
import type { Kernel } from '../../kernel.ts';
import type { DevicesNear, GuardianProof } from '../../ports.ts';
import { firstName } from '../../texts/formatting.ts';
import { answerCodes } from './answer-codes.ts';
import { type AnswerDeps, incidentAnswers, requireProof } from './answers.ts';
import { type AuthorityDeps, answerAuthority, type Reader } from './authority.ts';
import { belongingStore } from './belonging-store.ts';
import { callsWait } from './calls-wait.ts';
import { deviceNetworkStore } from './device-networks.ts';
import { incidentEnds } from './ends.ts';
import { type HoldFactStore, holdFactStore } from './fact-store.ts';
import { firstHours } from './first-hours.ts';
import { guardianProof } from './guardian-proof.ts';
import { holdSettingsStore } from './hold-settings.ts';
import { holderProofs, type ProofAgeDeps } from './holder-proofs.ts';
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
type Rights = ReturnType<typeof answerRights>;
type Opened = ReturnType<typeof incidentFeature>;

/** What is stored of incidents. Parts that are made before incidents can open read it. */
export function incidentRecords({ db, clock, sealer, events }: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'events'>) {
  const incidents = incidentStore(db, clock);
  const belonging = belongingStore(db);
  const settings = holdSettingsStore(db, clock);
  events.on('guardian_gone', (trx, { account }) => settings.noteGuardianGone(trx, account));
  return {
    incidents,
    belonging,
    facts: holdFactStore(clock),
    requests: requestStore(db, clock),
    settings,
    networks: deviceNetworkStore(db, clock, sealer),
    startAnswers: startAnswerStore(clock),
    answersInPolicy,
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

interface RightAsks extends Pick<ProofAgeDeps, 'proofOf'>, Pick<AuthorityDeps, 'activeGuardians' | 'acceptedOf'> {}

/** Who may answer for a computer, and how they prove it (P10.2). */
export function answerRights(
  kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'enqueue' | 'limit' | 'budgets' | 'settings'>,
  { incidents, facts, settings, networks }: Records,
  { proofOf, ...asks }: RightAsks,
) {
  const { db, clock } = kernel;
  const devicesNear: DevicesNear = async (account, { ip, browser_near }, connection) => {
    // Who may be anywhere may be at the computer.
    const isNear = browser_near || isUnreadable(ip);
    const near = new Set(isNear ? [] : await networks.isNear(account, ip, connection));
    return (device) => isNear || (device === null ? near.size > 0 : near.has(device));
  };
  const answerCode = answerCodes({ ...kernel, ...kernel.settings, holdSettings: settings });
  const proofState = holderProofs({ clock, incidents, facts, proofOf });
  const authority = answerAuthority({
    ...{ ...asks, db, clock, incidents, facts, settings, devicesNear, proofState },
    hasProvenPhone: (reader, connection) => answerCode.hasProvenPhone({ ...reader, uuid: reader.person }, connection),
    canProvePhone: answerCode.canProvePhone,
  });
  const checkCode = (reader: Reader, code: string) => answerCode.check({ ...reader, uuid: reader.person }, code);
  const prove: GuardianProof = guardianProof({ incidents, authority, checkCode });
  return {
    authority,
    devicesNear,
    proofState,
    checkCode,
    prove,
    sendCode: answerCode.send,
    inPolicy: incidentInPolicy({ db, authority }),
    hasProvenPhone: ({ account, person }: { account: string; person: string }) =>
      answerCode.hasProvenPhone({ kind: person === account ? 'holder' : 'guardian', uuid: person, account }),
    requireProof: async (trx: Trx, reader: Reader, device: string, useCode: Parameters<typeof requireProof>[2]) =>
      requireProof(trx, await authority.ofDevice(reader, device, trx), useCode),
    async noteOnIt(
      trx: Trx,
      row: { uuid: string; account: string; device: string },
      who: { person: string; name: string },
      since: Date | null,
    ) {
      const counts = await authority.counts({ account: row.account, person: who.person }, row, trx);
      await incidents.note(trx, row.uuid, 'on_it', who, { since, what: counts ? null : from_account });
    },
  };
}

interface IncidentAsks extends Pick<OpenerDeps, 'hasValidPlan' | 'endMails' | 'isEscalating'>, Pick<HoldDeps, 'activeGuardians'> {
  takeBack: Omit<TakeBackDeps, 'askFirst'>;
  allowable(trx: Trx): Promise<(identifier: string) => boolean>;
}

/** Incidents open and end, and calls that weaken protection wait meanwhile. */
export function incidentFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'enqueue' | 'notify' | 'events'>,
  { incidents, facts, requests, settings }: Records,
  { devicesNear, proofState }: Rights,
  asks: IncidentAsks,
) {
  const takesBack = takeBack({ ...asks.takeBack, askFirst: (trx, account) => settings.setAskFirst(trx, account, true) });
  const programs = firstHours({
    ...{ ...kernel, ...asks, incidents, facts, requests, settings, takeBack: takesBack },
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
      inPolicy: programs.inPolicy,
      holds: holds({ ...kernel, ...asks, incidents, openers, devicesNear, requests, settings, facts, proofState, programs }),
    },
    jobs: { incident_end: ends.job, first_hour_end: programs.endJob, incident_checkup: incidentCheckup({ ...kernel, incidents, facts }) },
  };
}

interface AnswerAsks
  extends Pick<AnswerDeps, 'onIt' | 'allow'>,
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
  { authority, checkCode, sendCode }: Rights,
  { takesBack, ended }: Opened,
  asks: AnswerAsks,
) {
  const { db } = kernel;
  const { incidents, belonging, facts, requests, settings, startAnswers } = records;
  const stoppedIn = async (row: IncidentRow) => belonging.stoppedIn(row, await asks.allowable());
  const waiting = callsWait(incidents, settings);
  const views = incidentViews({
    ...{ ...kernel, ...asks, incidents, belonging, authority, requests, stoppedIn },
    callsWait: waiting,
    deviceWords: (account, device) => facts.deviceWords(db, account, device),
  });
  const answers = incidentAnswers({
    ...{ ...kernel, ...asks, incidents, authority, requests, facts, checkCode, stoppedIn, ended },
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
      incidentRoutes(http, { ...kernel, ...late, incidents, requests, settings, answers, views, sendCode }),
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
