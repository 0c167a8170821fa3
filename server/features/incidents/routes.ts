import { type Incident, incidentEndpoints } from '@porchlight/contract/incidents.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import type { Reader, Readers } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { Answers } from './answers.ts';
import type { IncidentStore } from './store.ts';
import type { IncidentViews } from './view.ts';

export interface IncidentRouteDeps extends Pick<Kernel, 'gates'> {
  readers: Readers;
  incidents: IncidentStore;
  answers: Answers;
  views: IncidentViews;
}

/** The pages of incidents (P9.3). */
export function incidentRoutes(app: FastifyInstance, deps: IncidentRouteDeps): void {
  const { incidents, answers, views } = deps;
  const { holder, guardian } = deps.readers;

  const viewOf = async (reader: Reader, uuid: string): Promise<Incident> =>
    views.of(reader, (await incidents.get(reader.account, uuid)) ?? fail('not_found'));
  /** Runs an answer and returns what the reader sees then. */
  const answering = async (reader: Reader, uuid: string, run: () => Promise<unknown>): Promise<Incident> => {
    await deps.readers.limitAnswers(reader);
    await run();
    return viewOf(reader, uuid);
  };

  bind(app, deps.gates, incidentEndpoints, {
    'GET /web/incidents': async ({ account, query }) => {
      const rows = await incidents.list(account, { offset: query.offset, length: query.length + 1 });
      return { items: await Promise.all(rows.slice(0, query.length).map(views.summaryOf)), older: rows.length > query.length };
    },
    'GET /web/incidents/:uuid': async (call) => viewOf(await holder(call), call.params.uuid),
    'POST /web/incidents/:uuid': async (call) => {
      const [reader, { uuid }] = [await holder(call), call.params];
      return answering(reader, uuid, () => answers.answer(reader, uuid, call.body));
    },
    'POST /web/incidents/:uuid/steps': async (call) => {
      const [reader, { uuid }] = [await holder(call), call.params];
      return answering(reader, uuid, () => answers.tick(reader, uuid, call.body.step, call.body.done));
    },
    'POST /web/incidents/:uuid/how': async (call) => {
      const [reader, { uuid }] = [await holder(call), call.params];
      return answering(reader, uuid, () => answers.how(reader, uuid, call.body.how));
    },
    'GET /guardian/:id/incidents/:uuid': async (call) => viewOf(await guardian(call), call.params.uuid),
    'POST /guardian/:id/incidents/:uuid': async (call) => {
      const [reader, { uuid }] = [await guardian(call), call.params];
      return answering(reader, uuid, () => answers.answer(reader, uuid, call.body));
    },
    'POST /guardian/:id/incidents/:uuid/steps': async (call) => {
      const [reader, { uuid }] = [await guardian(call), call.params];
      return answering(reader, uuid, () => answers.tick(reader, uuid, call.body.step, call.body.done));
    },
    'POST /guardian/:id/incidents/:uuid/how': async (call) => {
      const [reader, { uuid }] = [await guardian(call), call.params];
      return answering(reader, uuid, () => answers.how(reader, uuid, call.body.how));
    },
  });
}
