import type { ActivityKind, WeakeningActivity } from '@porchlight/contract/activity-log.ts';
import { hour } from '@porchlight/contract/time.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { WeakeningCall } from '../../http/weakening-call.ts';
import type {
  Authority,
  DevicesNear,
  GuardiansFactLookup,
  HoldSettingsPort,
  OpenIncident,
  Opening,
  ProofLookup,
  SomeoneElsesDevices,
} from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { fail, type HoldDetails } from '../../lib/errors.ts';
import type { HoldingGate, LoggedActivity, RefusedCall } from '../../ports.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { type Answering, type AnsweringDeps, answeringOf, guardianQuestions, type QuestionDeps, requestFacts } from './ask-guardians.ts';
import { callMac } from './call-mac.ts';
import { areOwnDevices, type DeviceFact, decideHold } from './decide.ts';
import { type HoldFactStore, isPermission, showsPin } from './fact-store.ts';
import { becauseOf, type HolderFacts } from './hold-words.ts';
import type { ProgramQuestions } from './programs.ts';
import { endLater, sealedCall } from './request-calls.ts';
import { passesAt, type RequestRow, type RequestStore, requestEnds, requestState, requests_max, toRequestFact } from './request-store.ts';
import { countedKey, isSecondActivity } from './second-activity.ts';

export interface HoldDeps extends Pick<Kernel, 'db' | 'clock' | 'notify' | 'enqueue'> {
  sealer: Pick<Sealer, 'mac' | 'seal'>;
  incidents: QuestionDeps['incidents'] & {
    /** The newest first. */
    openOf(account: string, connection: Db | Trx): Promise<{ uuid: string; device: string }[]>;
    /** Whether presses of *Stop this* by this guardian alone opened all open incidents, of which there is one at least (P10.6). */
    pressedAlone(account: string, guardian: string, connection: Trx): Promise<boolean>;
  };
  open: OpenIncident;
  /** Opens what a device's report of this kind opens. The caller has locked the device. */
  openByReport(trx: Trx, report: Omit<Opening, 'opener'> & { kind: ActivityKind }): Promise<void>;
  requests: RequestStore;
  settings: Pick<HoldSettingsPort, 'asksFirst'>;
  authority: Pick<Authority, 'provenOf'>;
  guardiansOf: GuardiansFactLookup;
  someoneElses: SomeoneElsesDevices;
  /** The devices that were ever connected, the last seen first. `known`: for long enough. */
  connected(connection: Db | Trx, account: string): Promise<{ uuid: string; name: string; known: boolean }[]>;
  facts: HoldFactStore;
  proofState: ProofLookup;
  programs: Pick<ProgramQuestions, 'began' | 'pinWasShown' | 'canAsk' | 'ask'>;
  devicesNear: DevicesNear;
  activeGuardians: AnsweringDeps['activeGuardians'];
}

/** Holding (P10.1 to P10.3): facts from the stores, one pure decision, and the request of a call that does not pass. */
export function holds(deps: HoldDeps): HoldingGate {
  const { db, clock, incidents, open: openIncident, requests, facts, guardiansOf } = deps;
  const askGuardians = guardianQuestions(deps);

  /** Read before the call changes anything, since it may remove the guardian or end *Ask first*. */
  const factsOf = async (trx: Trx, call: WeakeningCall) => {
    const { account, session } = call;
    const now = clock.now();
    const people = await deps.someoneElses(trx, account);
    const isNear = await deps.devicesNear(account, call, trx);
    const proof = session === null ? 'none' : await deps.proofState(account, session, trx);
    return {
      now,
      ask_first: await deps.settings.asksFirst(account, trx),
      guardians: await guardiansOf(account, trx),
      openIncidents: await incidents.openOf(account, trx),
      connected: await deps.connected(trx, account),
      password: proof === 'counts',
      deviceFact: (device: string): DeviceFact => ({ someone_elses: people.has(device), near: isNear(device) }),
      ...(await facts.countedOf(trx, account)),
    };
  };

  return {
    async begin(trx, call) {
      await facts.lockCalls(trx, call.account);
      const mac = callMac(deps.sealer, call.account, call.content);
      const { same, just_done } = await requests.about(trx, call.account, mac);
      const request = call.redo === null ? same : await requests.locked(trx, call.account, call.redo);
      if (call.redo !== null && (!request || requestState(request, clock.now()) !== 'yes')) fail('request_closed');
      const isAnswered = request !== undefined && requestState(request, clock.now()) === 'yes';

      const known = await factsOf(trx, call);

      const isConnected = (device: string | undefined) => device === undefined || known.connected.some(({ uuid }) => uuid === device);
      /** A device that was never connected protects nobody: what is done to it is judged as what is done to the account. */
      const aboutOf = (device: string | undefined) => {
        const one = known.connected.filter(({ uuid }) => uuid === device);
        return (one.length ? one : known.connected).map(({ uuid }) => known.deviceFact(uuid));
      };
      // The holder of somebody else's computer, who is elsewhere, opens nothing (P10.1).
      const isExempt = (device: string | undefined) => areOwnDevices(aboutOf(device), known.password);
      const asks = ({ kind, device, program }: WeakeningActivity) =>
        (kind === 'allowed' ? program === true : isPermission(kind)) &&
        known.guardians !== 'none' &&
        !isAnswered &&
        !isExempt(device?.uuid);
      /** An act on the account is shown at an own device that is known, where there is one, and not at a stranger's. */
      const placeOfAccount = () => {
        const own = known.connected.filter(({ uuid }) => !known.deviceFact(uuid).someone_elses);
        return own.find((device) => device.known) ?? own[0] ?? known.connected[0];
      };

      const settle = async (logged: LoggedActivity[]): Promise<RefusedCall | null> => {
        const { account } = call;
        const { now, ask_first, password, guardians, openIncidents, recent, pin_shown, deviceFact } = known;
        const device = logged.find(({ activity }) => activity.device)?.activity.device;
        const place = device ?? placeOfAccount();
        // What is done to a computer that never connected does not count (P15.10).
        const keys = logged.map(({ activity }) => (isConnected(activity.device?.uuid) ? countedKey(countedFactOf(activity)) : null));
        const isSecond = isSecondActivity({ keys: keys.filter((key) => key !== null), recent, pin_shown, guarded: guardians !== 'none' });
        const removed = logged.find(({ activity }) => activity.kind === 'guardian_removed')?.activity.guardian;
        const isPresser = removed !== undefined && (await incidents.pressedAlone(account, removed, trx));
        // A guardian's own no would make the wait for their removal longer than an hour (P10.6).
        const counted =
          request && isPresser ? { ...request, answers: request.answers.filter(({ person }) => person !== removed) } : request;
        const decision = decideHold({
          ...{ now, ask_first, password, guardians },
          caller: 'holder',
          kinds: logged.map(({ activity }) => activity.kind),
          incidents: openIncidents.map(({ device }) => deviceFact(device)),
          about: aboutOf(device?.uuid),
          second: isSecond && place !== undefined,
          over_limit: logged.some(({ activity }) => activity.over_limit === true),
          removes: removed === undefined ? null : isPresser ? 'presser' : 'other',
          request: counted ? toRequestFact(counted) : null,
        });
        if (!decision.passes) {
          // A screen that was slower than the server makes the call again: that is no new question.
          if (!request && just_done) fail('request_closed');
          const at = (uuid: string | undefined) => openIncidents.find((one) => one.device === uuid);
          const incident = at(place?.uuid) ?? openIncidents.find((one) => !deviceFact(one.device).someone_elses) ?? openIncidents[0];
          return { account, content: call.content, mac, logged, decision, incident: incident?.uuid ?? null, device: place ?? null };
        }
        // Only what passed freely counts: what a yes let through is agreed.
        if (decision.via === 'free' || decision.via === 'own') {
          const exempt = isExempt(device?.uuid);
          for (const [n, { entry, activity }] of logged.entries()) {
            const counted = keys[n];
            if (!counted) continue;
            await facts.count(trx, entry, { counted, exempt });
            if (exempt) continue;
            if (isPermission(activity.kind)) await deps.programs.began(trx, account, entry);
            if (showsPin(activity.kind)) await deps.programs.pinWasShown(trx, account, entry);
          }
        }
        if (request && (call.redo !== null || decision.via === 'yes' || decision.via === 'lifted' || decision.via === 'waited')) {
          const done = logged.map(({ activity, entry }) => ({ kind: activity.kind, entry }));
          await requests.markDone(trx, request.uuid, done);
        }
        if (request && decision.via === 'waited') {
          const { person, time_zone } = await facts.deviceWords(trx, account, request.device);
          await deps.notify(trx, account, {
            kind: 'request_passed',
            facts: { ...requestFacts(request, person, time_zone, now), after: request.rule },
          });
        }
        return null;
      };
      return { limited: isAnswered, asks, settle };
    },

    ask: (refused) =>
      db.transaction().execute(async (trx): Promise<HoldDetails> => {
        const { account, decision, device, mac } = refused;
        await facts.lockCalls(trx, account);
        const { same: known, open } = await requests.about(trx, account, mac);
        let incident = refused.incident;
        if (decision.opens && device) {
          await facts.lockDevice(trx, device.uuid);
          incident = await openIncident(trx, { account, device, opener: 'second_act', what: null, time: clock.now() });
        }
        const answerOf = async (row: RequestRow, answering: Answering, needs_password: boolean) => {
          const { time_zone } = await facts.deviceWords(trx, account, row.device);
          return detailsOf(row, { ...answering, needs_password, now: clock.now(), time_zone });
        };
        if (known) {
          if (known.rule !== decision.rule) await requests.setRule(trx, known.uuid, decision.rule);
          known.rule = decision.rule;
          return answerOf(known, await answeringOf(deps, known, trx), decision.needs_password);
        }
        if (open >= requests_max) fail('hold_limit');
        const row = await requests.add(trx, {
          account,
          incident,
          device: device?.uuid ?? null,
          device_name: device?.name ?? null,
          call_mac: mac,
          activities: JSON.stringify(
            refused.logged.map(({ activity: { kind, what, device: at, guardian } }) => {
              return { kind, device: at?.name ?? '', what: what ?? '', ...(guardian ? { guardian } : {}) };
            }),
          ),
          rule: decision.rule,
          cause: decision.cause,
          sealed_call: sealedCall(
            deps.sealer,
            refused.content,
            refused.logged.map(({ activity }) => activity.kind),
          ),
        });
        await endLater(deps, trx, row);
        return answerOf(row, await askGuardians(trx, row), false);
      }),

    async requested(trx, account, { kind, device, alert, what }, time) {
      if (kind !== 'asked' || !device || alert === undefined || after(time, hour) <= clock.now()) return false;
      const identifier = await facts.identifierOf(trx, alert);
      if (identifier === undefined || !(await deps.programs.canAsk(trx, account, identifier))) return false;
      const incident = await openIncident(trx, { account, device, opener: 'asked', what: what ?? null, time });
      if (incident === null) return false;
      const program = { name: what ?? identifier, identifier };
      return deps.programs.ask(trx, { ...device, account }, incident, program, { cause: 'asked', permissions: [] });
    },

    async reported(trx, account, { activity, entry }, time) {
      const { device, kind } = activity;
      // A computer allows a program only with a guardian's one-time code, so it is agreed (P10.7).
      if (!device || kind === 'allowed') return;
      await deps.openByReport(trx, { account, device, kind, what: activity.what ?? null, time });
      // Reports of long ago are not within an hour of what happens now.
      if (after(time, hour) <= clock.now()) return;
      const guardians = await guardiansOf(account, trx);
      const { recent, pin_shown } = await facts.countedOf(trx, account);
      const key = countedKey(countedFactOf(activity));
      if (key === null) return;
      await facts.count(trx, entry, { counted: key });
      if (isSecondActivity({ keys: [key], recent, pin_shown, guarded: guardians !== 'none' })) {
        await openIncident(trx, { account, device, opener: 'second_act', what: null, time });
      }
    },
  };
}

const countedFactOf = ({ kind, device, what, remote_control, pause_ms, new_guardian }: WeakeningActivity) => ({
  kind,
  device: device?.uuid ?? null,
  what: what ?? null,
  remote_control: remote_control ?? false,
  pause_ms: pause_ms ?? null,
  new_guardian: new_guardian ?? false,
});

function detailsOf(row: RequestRow, holder: HolderFacts): HoldDetails {
  const isRefused = requestState(row, holder.now) === 'no';
  return {
    request: row.uuid,
    until: (isRefused ? requestEnds(row) : passesAt(row)).toISOString(),
    asked: holder.asked,
    because: becauseOf(row, holder),
    by_server: row.sealed_call !== null,
  };
}
