import { randomUUID } from 'node:crypto';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import { agentInfo, checkInBody } from '@porchlight/server/testing/agent-info.ts';
import { call } from '../call.ts';
import { acceptedGuardian } from '../guardians.ts';
import { linkedDevice, type Person, registeredPerson } from '../people.ts';
import type { World } from '../world.ts';
import type { Answered, Load, OneCall } from './open-loop.ts';
import { newDetection } from './reported-alerts.ts';

export interface Kind {
  name: string;
  /** The statuses of a call that was served. */
  statuses: number[];
  send(meant?: number): Promise<Answered>;
}

/** What the server accepted. */
export interface Accepted {
  holder: Person;
  /** The email addresses that get every alert. */
  recipients: string[];
  /** The ids of acknowledged detections. */
  detections: Set<string>;
  /** Reports the detections that were not acknowledged, as an agent does. */
  reportAgain(): Promise<void>;
  /** Accepted allow-list entries that are missing, and entries that are there twice. */
  wrongEntries(): Promise<string[]>;
}

/** An account may change its allow lists 120 times an hour. */
const entriesMax = 100;

/** Calls of each kind that the server has its own connections or queues for (server/db/traffic.ts), reading and writing. */
export async function kindsOfCalls(world: World, load: Load): Promise<{ kinds: Kind[]; accepted: Accepted }> {
  const holder = await registeredPerson(world);
  const guardian = await acceptedGuardian(world, holder);
  const device = await linkedDevice(world, holder);
  const detections = new Set<string>();
  const unacknowledged = new Set<ReportedDetection>();
  const entries: string[] = [];
  let triedEntries = 0;

  const report = async (meant?: number): Promise<Answered> => {
    // An incident would let the calls of the allow list wait.
    const detection: ReportedDetection = { ...newDetection(), start: 'system' };
    unacknowledged.add(detection);
    const body = { detections: [detection] };
    const answer = await load.send({ path: '/agent/detections', method: 'POST', token: device.token, body, ...scheduled(meant) });
    if (answer.status === 200) {
      unacknowledged.delete(detection);
      detections.add(detection.uuid);
    }
    return answer;
  };
  const allow = async (meant?: number): Promise<Answered> => {
    const path = `/web/devices/${device.uuid}/v2/exceptions`;
    if (triedEntries >= entriesMax) return load.send({ path, token: holder.token, ...scheduled(meant) });
    triedEntries += 1;
    const identifier = `allowed-${triedEntries}.example`;
    const answer = await load.send({
      path,
      method: 'POST',
      token: holder.token,
      body: { type: 'domain', identifier },
      ...scheduled(meant),
    });
    if (answer.status === 200) entries.push(identifier);
    return answer;
  };
  const kind = (name: string, oneCall: OneCall, statuses = [200]): Kind => ({
    name,
    statuses,
    send: (meant) => load.send({ ...oneCall, ...scheduled(meant) }),
  });
  const asHolder = (name: string, path: string) => kind(name, { path, token: holder.token });
  const post = (path: string, body: object, token = '') => ({ path, method: 'POST', body, token });
  const policy = '/agent/policy';
  const rename = post(`/web/devices/${device.uuid}`, { name: 'Den PC', policy: 'strict' }, holder.token);
  const kinds: Kind[] = [
    kind("an agent's policy", { path: policy, token: device.token }),
    { name: 'a detection', statuses: [200], send: report },
    asHolder('the list of devices', '/web/devices'),
    kind("an agent's check-in", post('/agent/check-in', checkInBody, device.token)),
    asHolder('the alerts', '/web/detections'),
    kind("a guardian's page", { path: `/guardian/${guardian.uuid}`, cookie: guardian.cookie }),
    { name: 'the allow list', statuses: [200], send: allow },
    kind('a new name of a device', rename),
    asHolder('the profile', '/web/profile'),
    // Wrong codes, of which each address may try only a few.
    kind('a device code', post('/agent/enrol', { code: 'ABCD-EFGH', info: agentInfo, enrol_id: randomUUID() }), [404, 429]),
    kind('the free plan', { path: '/agent/free-plan' }),
  ];
  const accepted: Accepted = {
    holder,
    recipients: [holder.email, guardian.email],
    detections,
    async reportAgain() {
      for (const detection of unacknowledged) {
        await call(world.url, 'POST /agent/detections', { token: device.token, body: { detections: [detection] } });
        detections.add(detection.uuid);
      }
    },
    async wrongEntries() {
      const { items } = await call(world.url, 'GET /web/devices/:id/v2/exceptions', { token: holder.token, params: { id: device.uuid } });
      const count = (identifier: string) => items.filter((item) => item.identifier === identifier).length;
      const lost = entries.filter((identifier) => count(identifier) === 0);
      const doubled = items.filter(({ identifier }) => count(identifier) > 1);
      return [
        ...(entries.length ? [] : ['no allow-list entry was accepted, so none was compared']),
        ...lost.map((identifier) => `the allow-list entry ${identifier} was accepted and is missing`),
        ...doubled.map(({ identifier }) => `the allow-list entry ${identifier} is there twice`),
      ];
    },
  };
  return { kinds, accepted };
}

const scheduled = (meant: number | undefined) => (meant === undefined ? {} : { meant });
