import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from './world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Step = [key: string, body?: Record<string, unknown>];

/** An account with guardians of four days, and what its owner sets up on one of its two computers. */
async function household({ linked }: { linked: boolean }) {
  const { token } = await person(server);
  const [bob, cleo] = [await activeGuardian(server, token), await activeGuardian(server, token, 'Cleo')];
  server.clock.turn(4 * day);
  const call = ([key, body]: Step) => server.call(key, { token, ...(body === undefined ? {} : { body }) });
  const create = async (name: string) => String((await call(['POST /web/create-device', { name, policy: null }])).body.uuid);
  const [pending, attic] = [await create('Den PC'), await create('Attic PC')];
  const device = `/web/devices/${linked ? (await linkedDevice(server, token)).uuid : pending}`;
  const steps: Step[] = [
    ['GET /web/bypasspassword'],
    [`POST ${device}`, { name: 'Den PC', policy: 'permissive' }],
    [`POST ${device}/v2/exceptions`, { type: 'definition', identifier: 'anydesk' }],
    [`POST ${device}/v2/exceptions`, { type: 'domain', identifier: 'example.com' }],
    ['POST /web/bypasspassword'],
    [`DELETE /web/guardians/${bob.uuid}`],
    [`DELETE /web/guardians/${cleo.uuid}`],
    [`DELETE /web/devices/${attic}`],
  ];
  const statuses = async (chosenSteps: Step[]) => {
    const answers: number[] = [];
    for (const step of chosenSteps) answers.push((await call(step)).status);
    return answers;
  };
  const incidents = async () => (await call(['GET /web/incidents'])).body.items as unknown as { opener: string }[];
  return { steps, statuses, incidents };
}

test.each([
  ['in one order', (steps: Step[]) => steps],
  ['in the opposite order', (steps: Step[]) => [...steps].reverse()],
  ['without a look at the PIN', (steps: Step[]) => steps.slice(1)],
])(
  '[6.5] [7.22] [7.23] [7.26] [7.30] on the day of the set-up the owner manages PIN, guardians, profile and allow list, %s',
  async (_order, arrange) => {
    const ann = await household({ linked: false });
    const steps = arrange(ann.steps);
    expect(await ann.statuses(steps)).toEqual(steps.map(() => 200));
    expect(await ann.incidents()).toEqual([]);
  },
);

test('[P9.1] at a connected computer the second different change of an hour waits, as the page of requirements says', async () => {
  const ann = await household({ linked: true });
  expect(await ann.statuses(ann.steps.slice(0, 3))).toEqual([200, 200, 409]);
  expect(await ann.incidents()).toMatchObject([{ opener: 'second_act' }]);
});
