import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Answerer, Authority, Reader, Readers } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import type { DeviceRows } from '../../ports.ts';
import { type AllowedAfterDeps, allowedAfterIncidents } from './allowed-after.ts';
import { type AnswerDeps, incidentAnswers } from './answers.ts';
import { belongingStore } from './belonging-store.ts';
import { incidentEnds } from './ends.ts';
import { incidentOpeners, type OpenerDeps, reportedStarts, type StartDeps } from './openers.ts';
import { incidentInPolicy } from './policy-part.ts';
import { incidentRoutes } from './routes.ts';
import { from_account, type IncidentRow, type IncidentStore, incidentStore } from './store.ts';
import { incidentViews, type ViewDeps } from './view.ts';

type Records = ReturnType<typeof incidentRecords>;

/** What is stored of incidents. Parts that are made before incidents can open read it. */
export function incidentRecords({ db, clock }: Pick<Kernel, 'db' | 'clock'>) {
  const incidents = incidentStore(db, clock);
  const belonging = belongingStore(db);
  return {
    incidents,
    belonging,
    incidentOf: incidents.withState,
    lockedIncident: incidents.lockedWithState,
    incidentAt: async (trx: Trx, account: string, device: string) => (await incidents.openAt(account, device, trx))?.uuid ?? null,
    noteCodeShown: (trx: Trx, incident: string, { person, name }: Answerer, time: Date) =>
      incidents.addEvent(trx, incident, { kind: 'code_shown', person, name, what: null, time }),
    /** Whether a program was ended since the incident opened. */
    async hasStopped(uuid: string) {
      const row = await incidents.find(uuid);
      if (!row) return false;
      const detections = await belonging.detections(row.device, row.opened, clock.now());
      return detections.some(({ blocked, site, category }) => blocked && !site && category !== 'Door' && category !== 'MoneySite');
    },
  };
}

/** Stores *I’m on it* of somebody, which at an own computer is only from the account (P18.2). */
export const onItNotes =
  ({ incidents }: Records, authority: Pick<Authority, 'counts'>) =>
  async (trx: Trx, row: { uuid: string; account: string; device: string }, who: Answerer, since: Date | null) => {
    const counts = await authority.counts({ account: row.account, person: who.person }, row, trx);
    await incidents.note(trx, row.uuid, 'on_it', who, { since, what: counts ? null : from_account });
  };

interface IncidentAsks
  extends Pick<OpenerDeps, 'hasValidPlan' | 'endMails'>,
    Pick<StartDeps, 'isEscalating' | 'programs'>,
    Pick<DeviceRows, 'lockDevices' | 'deviceWords'> {
  authority: Authority;
}

/** Incidents open and end. */
export function incidentFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'notify' | 'events'>,
  { incidents }: Records,
  asks: IncidentAsks,
) {
  const openers = incidentOpeners({ ...kernel, ...asks, incidents });
  const ends = incidentEnds({ ...kernel, ...asks, incidents });
  return {
    ended: ends.ended,
    ports: {
      ...openers,
      noteStarts: reportedStarts({ ...asks, ...openers, incidents }),
      inPolicy: { incident: incidentInPolicy({ db: kernel.db, authority: asks.authority }) },
    },
    jobs: { incident_end: ends.job, incident_checkup: incidentCheckup({ ...kernel, ...asks, incidents }) },
  };
}

interface AnswerAsks
  extends Pick<
      AnswerDeps,
      'onIt' | 'checkCode' | 'requireProof' | 'authority' | 'allowHour' | 'suspensionAt' | 'sortAlerts' | 'lockDevices' | 'deviceWords'
    >,
    Omit<AllowedAfterDeps, keyof Kernel | 'incidents'>,
    Pick<ViewDeps, 'quotedHolder' | 'requestsOnPage' | 'deliveriesOf' | 'escalationOnPage'> {
  readers: Readers;
  allowable(): Promise<(identifier: string) => boolean>;
}

interface Guardian {
  uuid: string;
  account: string;
  name: string;
  accepted: Date | null;
}

/** The pages of incidents, and the answers that people give there. */
export function incidentAnswerFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'notify'>,
  records: Records,
  { ended }: Pick<ReturnType<typeof incidentFeature>, 'ended'>,
  asks: AnswerAsks,
) {
  const { incidents, belonging } = records;
  const stoppedIn = async (row: IncidentRow) => belonging.stoppedIn(row, await asks.allowable());
  const allowed = allowedAfterIncidents({ ...kernel, ...asks, incidents });
  const views = incidentViews({ ...kernel, ...asks, incidents, belonging, stoppedIn, allowedAfter: allowed.of });
  const answers = incidentAnswers({ ...kernel, ...asks, incidents, stoppedIn, ended, stopAllowing: allowed.stop });
  return {
    ports: {
      incidentsOf: views.ofGuardian,
      /** A guardian's *I'm on it* about an alert is one about its open incident as well. */
      async onIt(
        trx: Trx,
        guardian: Guardian,
        alert: { uuid: string; device: string; time: Date },
        caller: Pick<Reader, 'ip' | 'browser_near'>,
      ) {
        const incident = (await incidents.ofAlerts(guardian.account, [alert])).get(alert.uuid);
        const row = incident === undefined ? undefined : await records.lockedIncident(trx, incident);
        const reader = asks.readers.ofGuardian(guardian, caller);
        if (!row?.open || !reader) return;
        // Beside the computer only the incident's page, which asks for a code, takes this answer (P10.2).
        if ((await asks.authority.ofPlace(reader, row.device, trx)).may === 'yes') await asks.onIt(trx, row.uuid, reader);
      },
    },
    routes: (http: FastifyInstance, { gates }: Pick<Kernel, 'gates'>) =>
      incidentRoutes(http, { gates, readers: asks.readers, incidents, answers, views }),
  };
}

interface CheckupDeps extends Pick<Kernel, 'db' | 'notify'>, Pick<DeviceRows, 'deviceWords'> {
  incidents: IncidentStore;
}

/** Asks the holder and the guardians once, the day after an incident opened, how it went (P9.2). */
function incidentCheckup({ db, incidents, deviceWords, notify }: CheckupDeps) {
  return ({ incident }: { incident: string }) =>
    db.transaction().execute(async (trx) => {
      const row = await incidents.byUuid(trx, incident);
      if (!row || row.asked_how) return;
      await incidents.markAskedHow(trx, incident);
      const { person, time_zone } = await deviceWords(trx, row.account, row.device);
      const about = { incident, device: row.device_name, person, opened: row.opened, time_zone };
      await notify(trx, row.account, { kind: 'incident_checkup', facts: about });
    });
}
