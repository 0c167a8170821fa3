import type { IncidentStep } from '@porchlight/contract/incidents.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../../db/open.ts';
import type { Answerer, Authority, CheckCode, Reader, RequireProof, SuspensionLookup } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { DeviceRows } from '../../ports.ts';
import { type IncidentRow, type IncidentStore, stateOf } from './store.ts';

/** The program that an incident stopped and that can be allowed for an hour. */
export interface Stopped {
  identifier: string;
  name: string;
}

export interface AnswerDeps extends Pick<Kernel, 'db' | 'clock' | 'notify'>, Pick<DeviceRows, 'lockDevices' | 'deviceWords'> {
  incidents: IncidentStore;
  authority: Authority;
  requireProof: RequireProof;
  checkCode: CheckCode;
  /** Stores *I’m on it* of a locked incident, and ends its escalation if this person may (P11.1). */
  onIt(trx: Trx, incident: string, who: Answerer): Promise<void>;
  /** What waits for the end of the incident takes effect. */
  ended(trx: Trx, incident: IncidentRow): Promise<void>;
  stoppedIn(incident: IncidentRow): Promise<Stopped | null>;
  /** Marks the alerts of a device since a time as sorted, so that no screen goes on alarming (P15.4). */
  sortAlerts(trx: Trx, who: Answerer & { account: string }, device: string, since: Date): Promise<unknown>;
  /** Takes what is allowed in the account off its allow lists, and ends its appointments; returns their names (P15.4). */
  stopAllowing(trx: Trx, reader: Reader, ids: string[]): Promise<string[]>;
  suspensionAt: SuspensionLookup;
  /** Allows a program for an hour. Throws `already_allowed` and `exception_limit`. */
  allowHour(trx: Trx, reader: Reader, device: { uuid: string; name: string }, program: Stopped): Promise<unknown>;
}

interface Answer {
  answer: 'mine' | 'on_it' | 'over' | 'allow_hour';
  code?: string | undefined;
  stop_allowing: string[];
}

export type Answers = ReturnType<typeof incidentAnswers>;

/** The answers of holders and guardians to incidents (P10.2). */
export function incidentAnswers(deps: AnswerDeps) {
  const { db, clock, incidents, authority, requireProof, notify } = deps;

  return {
    async answer(reader: Reader, uuid: string, { answer, code, stop_allowing }: Answer): Promise<unknown> {
      const useCode = await deps.checkCode(reader, code);
      return db.transaction().execute(async (trx) => {
        if (answer === 'over') await deps.lockDevices(trx, reader.account);
        const row = (await incidents.locked(trx, reader.account, uuid)) ?? fail('not_found');
        if (answer === 'mine') return incidents.note(trx, uuid, 'mine', reader);
        if (answer === 'on_it') {
          await requireProof(trx, await authority.ofPlace(reader, row.device, trx), useCode);
          return deps.onIt(trx, uuid, { person: reader.person, name: reader.name });
        }
        if (answer === 'over') {
          const isOpen = stateOf(row, clock.now()) === 'open';
          if (!isOpen && !stop_allowing.length) return;
          await requireProof(trx, await authority.ofEnd(reader, row, trx), useCode);
          // Also when somebody else ended it a moment ago, and before a holder without guardians may.
          const stopped = await deps.stopAllowing(trx, reader, stop_allowing);
          if (!isOpen) return;
          const what = stopped.length ? stopped.join('\n') : null;
          if (await authority.mustWait(reader, row, trx)) return incidents.note(trx, uuid, 'over_asked', reader, { what });
          await incidents.end(trx, uuid, reader, what);
          await deps.ended(trx, row);
          await deps.sortAlerts(trx, reader, row.device, after(row.opened, -serverLimits.alert_grouping));
          const { person, time_zone } = await deps.deviceWords(trx, reader.account, row.device);
          const about = { incident: uuid, device: row.device_name, person, time: clock.now(), time_zone };
          return notify(trx, reader.account, { kind: 'incident_over', facts: { ...about, by: reader.name, by_person: reader.person } });
        }
        const stopped = (await deps.stoppedIn(row)) ?? fail('not_found');
        await requireProof(trx, await authority.ofIncident(reader, row, trx), useCode);
        const suspended = await deps.suspensionAt(reader.account, row.device, trx);
        if (suspended) fail('may_not_answer', { words: suspended.why });
        await deps.allowHour(trx, reader, { uuid: row.device, name: row.device_name }, stopped);
      });
    },

    tick: (reader: Reader, uuid: string, step: IncidentStep, done: boolean) =>
      db.transaction().execute(async (trx) => {
        const row = (await incidents.locked(trx, reader.account, uuid)) ?? fail('not_found');
        const tick = { step, from_account: !(await authority.counts(reader, row, trx)) };
        await (done ? incidents.tick(trx, uuid, tick, reader) : incidents.untick(trx, uuid, tick));
      }),

    how: (reader: Reader, uuid: string, how: string) =>
      db.transaction().execute(async (trx) => {
        const row = (await incidents.locked(trx, reader.account, uuid)) ?? fail('not_found');
        if (row.asked_how === null) fail('not_found');
        await incidents.note(trx, uuid, 'how', reader, { what: how });
      }),
  };
}
