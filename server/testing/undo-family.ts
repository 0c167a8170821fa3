import { randomUUID } from 'node:crypto';
import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import type { ActivityUndo } from '@porchlight/contract/activity-undo.ts';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { activeGuardian, agreeToChanges, linkedDevice, person, type TestServer } from './world.ts';

export type UndoFamily = Awaited<ReturnType<typeof undoFamily>>;

/** An account with a guardian and a computer, whose changes never wait, and what its activity log has. */
export async function undoFamily(server: TestServer) {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const device = await linkedDevice(server, token);
  const call = async (key: string, body?: object) => {
    await agreeToChanges(server);
    return server.call(key, { token, ...(body ? { body } : {}) });
  };
  return {
    token,
    email,
    bob,
    device,
    call,
    /** Bob does not know the computer. */
    doubts: () => server.call(`POST /guardian/${bob.uuid}/devices/${device.uuid}`, { headers: bob.session, body: { known: false } }),
    reportEvent: (event: AgentEvent['reported']) =>
      server.call('POST /agent/events', {
        token: device.agent,
        body: { events: [{ uuid: randomUUID(), time: server.clock.now().toISOString(), reported: event }] },
      }),
    acts: async (kind: ActivityKind) =>
      ((await call('GET /web/acts')).body.items as unknown as { uuid: string; kind: string; undo: ActivityUndo | null }[]).filter(
        (act) => act.kind === kind,
      ),
    mail: async (subject: RegExp) => (await server.mailsTo(email)).find((mail) => subject.test(mail.subject)),
  };
}
