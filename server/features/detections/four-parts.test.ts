import type { Detection } from '@porchlight/contract/detections.ts';
import type { NewPerson } from '@porchlight/contract/devices.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** The four parts of an alert as the holder and the guardian read them on their screens (P8.2). */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** What the holder and the guardian read of one that was not blocked. */
async function read(who: NewPerson | null) {
  const { token } = await person(server, 'Ann Example');
  const { uuid, agent } = await linkedDevice(server, token);
  if (who) await server.call(`POST /web/devices/${uuid}`, { token, body: { name: 'Den PC', policy: 'strict', person: who } });
  const bob = await activeGuardian(server, token);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server, { blocked: false })] } });
  const [own] = (await server.call('GET /web/detections', { token })).body.items as unknown as Detection[];
  const [theirs] = (await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body.alerts as unknown as Detection[];
  return [own?.parts, theirs?.parts].map((parts) => [parts?.is_it_over, parts?.what_to_do]);
}

const that = 'No. Someone may be able to see and use that computer right now.';
const calling = (whom: string) => [
  that,
  `Call ${whom}. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”`,
];
const there = [
  'No. Someone may be able to see and use this computer right now. Switch it off if you did not ask for this.',
  expect.stringMatching(/^Hang up/),
];

test.each([
  ['the holder', { name: '', phone_number: '', is_holder: true }, there, calling('Ann')],
  ['nobody has said who', null, there, calling('Ann')],
  ['Mum', { name: 'Mum', phone_number: '', is_holder: false }, calling('Mum'), calling('Mum')],
  [
    'someone without a name',
    { name: '', phone_number: '', is_holder: false },
    calling('the person at Den PC'),
    calling('the person at Den PC'),
  ],
])('[P8.2] an alert of a computer that %s uses says whom to call to everyone who does not sit there', async (_, who, own, theirs) => {
  expect(await read(who)).toEqual([own, theirs]);
});
