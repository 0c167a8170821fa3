import type { IncomingMessage } from 'node:http';
import { type AgentChanges, agentChangesEndpoint } from '@porchlight/contract/agent-changes.ts';
import { fieldErrors } from '../../../http/field-errors.ts';
import { fail, Refusal } from '../../../lib/errors.ts';

const { body: changesBody } = agentChangesEndpoint['POST /agent/changes'];
/** Bytes of a body, which has five short fields. */
const body_max = 4_096;

/** What the agent knows. Throws `body_too_large` and `invalid_input`. */
export async function readKnown(request: IncomingMessage): Promise<AgentChanges> {
  const known = changesBody.safeParse(jsonIn(await bodyOf(request)));
  return known.success ? known.data : fail('invalid_input', { fields: fieldErrors(known.error.issues) });
}

/** Undefined for what Fastify would refuse too: no JSON, and names that would change the prototype of objects. */
function jsonIn(text: string): unknown {
  try {
    const value = JSON.parse(text) as { constructor?: unknown };
    const { constructor } = value;
    const isPoisoned =
      Object.hasOwn(value, '__proto__') || (Object.hasOwn(value, 'constructor') && Object.hasOwn(Object(constructor), 'prototype'));
    return isPoisoned ? undefined : value;
  } catch {
    return undefined;
  }
}

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const addChunk = (chunk: string) => {
      text += chunk;
      if (text.length <= body_max) return;
      // The rest is read and dropped, so that the connection can carry the answer.
      request.off('data', addChunk).resume();
      reject(new Refusal('body_too_large'));
    };
    request.setEncoding('utf8');
    request.on('data', addChunk);
    request.once('end', () => resolve(text));
    request.once('error', () => {
      // The agent has gone, so nobody reads it.
      reject(new Refusal('invalid_input'));
    });
  });
}
