import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newNumber } from '../../testing/consent-family.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { phoneOf } from '../../testing/phone-calls.ts';
import { agreeToChanges, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Ann's computer, which Mum uses, before anything is stopped there. */
async function mumsComputer() {
  const ann = await incidentFamily(server);
  const number = newNumber();
  const path = `/web/devices/${ann.device.uuid}`;
  const uses = async (phone_number: string) => {
    server.clock.turn(1000);
    await agreeToChanges(server);
    const person = { name: 'Mum', phone_number, is_holder: false };
    expect((await ann.call(`POST ${path}`, { name: 'Den PC', policy: 'strict', person })).status).toBe(200);
    server.clock.turn(1000);
  };
  await uses(number);
  return {
    ...{ ann, number, uses, phone: phoneOf(server, number) },
    consent: (method: string) => ann.call(`${method} ${path}/call-consent`),
    /** How often each number rings in the ten minutes after a stop that nobody answers. */
    async ringsAfterStop(...numbers: string[]) {
      const rung = async () => Promise.all(numbers.map(async (one) => (await server.callsTo(one)).length));
      const before = await rung();
      await ann.stops();
      for (let n = 0; n < 11; n++) {
        await server.app.worker.idle();
        server.clock.turn(minute);
      }
      return (await rung()).map((count, n) => count - (before[n] ?? 0));
    },
  };
}

test('[P11.1] who agreed is called ten minutes after a stop that nobody answered, and is asked for nothing', async () => {
  const { consent, phone, number, ringsAfterStop } = await mumsComputer();
  await consent('POST');
  await phone.presses('1');
  expect(await ringsAfterStop(number)).toEqual([1]);
  expect((await phone.picksUp()).say.join(' ')).toContain('hang up');
});

test('[P11.1] who was asked and did not press 1 is not called after a stop', async () => {
  const { consent, phone, number, ringsAfterStop } = await mumsComputer();
  await consent('POST');
  await phone.picksUp();
  await phone.hangsUp();
  expect(await ringsAfterStop(number)).toEqual([0]);
});

test('[P11.1] after the number changed, or the consent was withdrawn, neither number is called', async () => {
  const changed = await mumsComputer();
  await changed.consent('POST');
  await changed.phone.presses('1');
  const next = newNumber();
  await changed.uses(next);
  expect(await changed.ringsAfterStop(changed.number, next)).toEqual([0, 0]);
  const withdrawn = await mumsComputer();
  await withdrawn.consent('POST');
  await withdrawn.phone.presses('1');
  expect((await withdrawn.consent('DELETE')).status).toBe(200);
  expect(await withdrawn.ringsAfterStop(withdrawn.number)).toEqual([0]);
});
