import { type Incident, incidentEndpoints } from '@porchlight/contract/incidents.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bind } from '../../http/bind.ts';
import { isNearAgent, weakeningCall } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { HoldSettingsPort, Reader } from '../../ports.ts';
import { firstName } from '../../texts/formatting.ts';
import type { Answers } from './answers.ts';
import type { RequestStore } from './request-store.ts';
import type { IncidentStore } from './store.ts';
import type { IncidentViews } from './view.ts';

/** Answers per person and hour: enough for people, too few to guess. */
const answerLimit = { max: 60, per: 3_600_000 };

export interface IncidentRouteDeps extends Pick<Kernel, 'db' | 'gates' | 'limit' | 'nameOf' | 'weakening'> {
  incidents: IncidentStore;
  requests: RequestStore;
  settings: HoldSettingsPort;
  answers: Answers;
  views: IncidentViews;
  /** An active guardian; throws `guardian_inactive` and `guardian_link_dead`. */
  activeGuardian(uuid: string): Promise<{ uuid: string; account: string; name: string; accepted: Date }>;
  sendCode(person: { kind: 'holder' | 'guardian'; uuid: string; account: string }, caller: string): Promise<void>;
}

/** Incidents, held requests, and *Ask first* (P9.3, P10.2, P10.3). */
export function incidentRoutes(app: FastifyInstance, deps: IncidentRouteDeps): void {
  const { incidents, requests, settings, answers, views, limit } = deps;

  const holder = async ({ account, session, ip, request }: { account: string; session: string; ip: string; request: FastifyRequest }) => {
    const name = firstName(await deps.nameOf(account));
    return { kind: 'holder', account, person: account, name, session, ip, browser_near: isNearAgent(request) } satisfies Reader;
  };
  const guardian = async ({ guardian: uuid, ip, request }: { guardian: string; ip: string; request: FastifyRequest }): Promise<Reader> => {
    const { account, name, accepted } = await deps.activeGuardian(uuid);
    return { kind: 'guardian', account, person: uuid, name: firstName(name), accepted, ip, browser_near: isNearAgent(request) };
  };

  const viewOf = async (reader: Reader, uuid: string): Promise<Incident> =>
    views.of(reader, (await incidents.get(reader.account, uuid)) ?? fail('not_found'));
  const requestOf = async (reader: Reader, uuid: string) =>
    views.requestOf(reader, (await requests.get(reader.account, uuid)) ?? fail('not_found'));

  /** Runs an answer and returns what the reader sees then. */
  const answering = async (reader: Reader, uuid: string, run: () => Promise<unknown>): Promise<Incident> => {
    await limit('incident-answer', reader.person, answerLimit);
    await run();
    return viewOf(reader, uuid);
  };
  const answeringRequest = async (reader: Reader, uuid: string, body: Parameters<Answers['request']>[2]) => {
    await limit('incident-answer', reader.person, answerLimit);
    await answers.request(reader, uuid, body);
    return requestOf(reader, uuid);
  };

  bind(app, deps.gates, incidentEndpoints, {
    'GET /web/incidents': async ({ account, query }) => {
      const rows = await incidents.list(account, { offset: query.offset, length: query.length + 1 });
      return { items: await Promise.all(rows.slice(0, query.length).map(views.summaryOf)), older: rows.length > query.length };
    },
    'GET /web/incidents/:uuid': async (call) => viewOf(await holder(call), call.params.uuid),
    'POST /web/incidents/:uuid': async (call) => {
      const [reader, { uuid }] = [await holder(call), call.params];
      return answering(reader, uuid, () => answers.incident(reader, uuid, call.body));
    },
    'POST /web/incidents/:uuid/steps': async (call) => {
      const [reader, { uuid }] = [await holder(call), call.params];
      return answering(reader, uuid, () => answers.tick(reader, uuid, call.body.step, call.body.done));
    },
    'POST /web/incidents/:uuid/how': async (call) => {
      const [reader, { uuid }] = [await holder(call), call.params];
      return answering(reader, uuid, () => answers.how(reader, uuid, call.body.how));
    },
    'GET /web/requests/:uuid': async (call) => requestOf(await holder(call), call.params.uuid),
    'POST /web/requests/:uuid': async (call) => answeringRequest(await holder(call), call.params.uuid, call.body),
    'POST /web/answer-code': async ({ account, ip }) => {
      await deps.sendCode({ kind: 'holder', uuid: account, account }, ip);
      return {};
    },
    'GET /web/holding': async ({ account }) => ({ ask_first: await settings.asksFirst(account) }),
    'PATCH /web/holding': (call) =>
      deps.weakening(weakeningCall(call), async (trx, weaken) => {
        const { account, body } = call;
        if ((await settings.asksFirst(account, trx)) === body.ask_first) return body;
        if (!body.ask_first) await weaken({ kind: 'ask_first_off' });
        await settings.setAskFirst(trx, account, body.ask_first);
        return body;
      }),

    'POST /guardian/:id/requests/:uuid': async (call) => answeringRequest(await guardian(call), call.params.uuid, call.body),
    'GET /guardian/:id/incidents/:uuid': async (call) => viewOf(await guardian(call), call.params.uuid),
    'POST /guardian/:id/incidents/:uuid': async (call) => {
      const [reader, { uuid }] = [await guardian(call), call.params];
      return answering(reader, uuid, () => answers.incident(reader, uuid, call.body));
    },
    'POST /guardian/:id/incidents/:uuid/steps': async (call) => {
      const [reader, { uuid }] = [await guardian(call), call.params];
      return answering(reader, uuid, () => answers.tick(reader, uuid, call.body.step, call.body.done));
    },
    'POST /guardian/:id/incidents/:uuid/how': async (call) => {
      const [reader, { uuid }] = [await guardian(call), call.params];
      return answering(reader, uuid, () => answers.how(reader, uuid, call.body.how));
    },
    'POST /guardian/:id/answer-code': async ({ guardian: uuid, ip }) => {
      const { account } = await deps.activeGuardian(uuid);
      await deps.sendCode({ kind: 'guardian', uuid, account }, ip);
      return {};
    },
  });
}
