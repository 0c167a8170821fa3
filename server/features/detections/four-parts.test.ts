import type { Detection } from '@porchlight/contract/detections.ts';
import type { NewPerson } from '@porchlight/contract/devices.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function readParts(computerUser: NewPerson | null) {
  const { token } = await person(server, 'Ann Example');
  const { uuid, agent } = await linkedDevice(server, token);
  if (computerUser)
    await server.call(`POST /web/devices/${uuid}`, { token, body: { name: 'Den PC', policy: 'strict', person: computerUser } });
  const bob = await activeGuardian(server, token);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server, { blocked: false })] } });
  const [holderParts] = (await server.call('GET /web/detections', { token })).body.items as unknown as Detection[];
  const [guardianParts] = (await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body.alerts as unknown as Detection[];
  return [holderParts?.explanation, guardianParts?.explanation].map((texts) => [texts?.is_it_over, texts?.what_to_do]);
}

const callWarning = 'No. Someone may be using that computer right now.';
const callAdvice = (personToCall: string) => [
  callWarning,
  `Call ${personToCall}. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off. I’m with you.”`,
];
const holderAdvice = [
  'No. Someone may be using this computer right now. Turn the computer off if you didn’t ask for this.',
  expect.stringMatching(/^Hang up/),
];

test.each([
  ['the holder', { name: '', phone_number: '', is_holder: true }, holderAdvice, callAdvice('Ann')],
  ['nobody has said who', null, holderAdvice, callAdvice('Ann')],
  ['Mum', { name: 'Mum', phone_number: '', is_holder: false }, callAdvice('Mum'), callAdvice('Mum')],
  [
    'someone without a name',
    { name: '', phone_number: '', is_holder: false },
    callAdvice('the person at Den PC'),
    callAdvice('the person at Den PC'),
  ],
])(
  '[P8.2] an alert advises everyone but the user of the computer whom to call; the user: %s',
  async (_, computerUser, holderParts, guardianParts) => {
    expect(await readParts(computerUser)).toEqual([holderParts, guardianParts]);
  },
);
