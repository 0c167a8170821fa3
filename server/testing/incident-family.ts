import type { AllowListEntry } from '@porchlight/contract/allow-list.ts';
import { hour } from '@porchlight/contract/time.ts';
import { activeGuardian, detection, goodPassword, linkedDevice, person, type TestServer } from './world.ts';

/** Ann with a device, and Bob, who has been her guardian for three days. */
export async function incidentFamily(server: TestServer, { guardian = true, proven = true } = {}) {
  const { token, email } = await person(server, 'Ann Example');
  const device = await linkedDevice(server, token, 'Den PC');
  // Guardians of an account's first day may answer at once, so this one comes later.
  server.clock.turn(25 * hour);
  const bob = guardian ? await activeGuardian(server, token, 'Bob Example') : null;
  if (proven) server.clock.turn(72 * hour);
  const call = (key: string, body?: object) => server.call(key, { token, ...(body ? { body } : {}) });
  const asBob = (key: string, body?: object) =>
    server.call(key.replace(':id', bob?.uuid ?? ''), { headers: bob?.session ?? {}, ...(body ? { body } : {}) });
  const exceptions = `POST /web/devices/${device.uuid}/v2/exceptions`;
  return {
    token,
    email,
    device,
    bob,
    call,
    asBob,
    allow: (identifier = 'anydesk') => call(exceptions, { type: 'definition', identifier, lasts: null }),
    allowed: async () => (await call(`GET /web/devices/${device.uuid}/v2/exceptions`)).body.items as unknown as AllowListEntry[],
    weaker: () => call(`POST /web/devices/${device.uuid}`, { name: 'Den PC', policy: 'permissive' }),
    stops: (more = {}) => server.call('POST /agent/detections', { token: device.agent, body: { detections: [detection(server, more)] } }),
    incidents: async () => (await call('GET /web/incidents')).body.items as unknown as { uuid: string; state: string; opener: string }[],
    answer: (request: unknown, answer: 'yes' | 'no', lasts?: 'hour' | 'always') =>
      asBob(`POST /guardian/:id/requests/${String(request)}`, { answer, ...(lasts ? { lasts } : {}) }),
    password: () => call('POST /web/reauthenticate', { password: goodPassword }),
  };
}
