import type { Api } from '@porchlight/contract/all.ts';
import type { CallInput } from '@porchlight/contract/endpoint.ts';
import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import type { HowItWent } from '@porchlight/contract/incident-events.ts';
import type { Incident, IncidentStep } from '@porchlight/contract/incidents.ts';
import { call } from '../../lib/call.ts';

/** The password, or a passkey (P13.1). */
export type OwnProof = CallInput<Api['POST /web/reauthenticate']>['body'];

/** How readers show that it is them (P10.2). `reauthenticate`: null for guardians, who have neither password nor passkey. */
export interface ProofCalls {
  sendCode(): Promise<unknown>;
  reauthenticate: ((proof: OwnProof) => Promise<unknown>) | null;
}

/** A yes to a program may be for an hour, or for as long as it was allowed (P15.2). */
export interface RequestAnswer {
  answer: 'yes' | 'no';
  lasts?: 'always';
}

export interface RequestCalls extends ProofCalls {
  answerRequest(uuid: string, answer: RequestAnswer, code?: string): Promise<HeldRequest>;
}

export type IncidentAnswer = 'mine' | 'on_it' | 'over' | 'allow_hour';

/** `stop_allowing`: what *It’s over* takes off the allow lists (P15.4). */
export interface AnswerGiven {
  code?: string | undefined;
  stop_allowing?: string[];
}

/** What a reader can do with one incident. Each call resolves to the incident as it is afterwards. */
export interface IncidentCalls extends RequestCalls {
  load(): Promise<Incident>;
  /** Guardians cannot answer `mine`. */
  answer(answer: IncidentAnswer, given?: AnswerGiven): Promise<Incident>;
  tick(step: IncidentStep, done: boolean): Promise<Incident>;
  how(how: HowItWent): Promise<Incident>;
}

const withCode = (code: string | undefined) => (code === undefined ? {} : { code });

export const holderProofCalls: ProofCalls = {
  sendCode: () => call('POST /web/answer-code'),
  reauthenticate: (proof) => call('POST /web/reauthenticate', { body: proof }),
};

export function holderCalls(uuid: string): IncidentCalls {
  const params = { uuid };
  return {
    load: () => call('GET /web/incidents/:uuid', { params }),
    answer: (answer, given) => call('POST /web/incidents/:uuid', { params, body: { answer, ...given } }),
    tick: (step, done) => call('POST /web/incidents/:uuid/steps', { params, body: { step, done } }),
    how: (how) => call('POST /web/incidents/:uuid/how', { params, body: { how } }),
    answerRequest: (request, answer, code) =>
      call('POST /web/requests/:uuid', { params: { uuid: request }, body: { ...answer, ...withCode(code) } }),
    ...holderProofCalls,
  };
}

/** `id`: the guardian's. */
export function guardianRequestCalls(id: string): RequestCalls {
  return {
    answerRequest: (uuid, answer, code) =>
      call('POST /guardian/:id/requests/:uuid', { params: { id, uuid }, body: { ...answer, ...withCode(code) } }),
    sendCode: () => call('POST /guardian/:id/answer-code', { params: { id } }),
    reauthenticate: null,
  };
}

/** `id`: the guardian's. */
export function guardianCalls(id: string, uuid: string): IncidentCalls {
  const params = { id, uuid };
  return {
    ...guardianRequestCalls(id),
    load: () => call('GET /guardian/:id/incidents/:uuid', { params }),
    answer: async (answer, given) => {
      if (answer === 'mine') throw new Error('Guardians have no such answer.');
      return call('POST /guardian/:id/incidents/:uuid', { params, body: { answer, ...given } });
    },
    tick: (step, done) => call('POST /guardian/:id/incidents/:uuid/steps', { params, body: { step, done } }),
    how: (how) => call('POST /guardian/:id/incidents/:uuid/how', { params, body: { how } }),
  };
}
