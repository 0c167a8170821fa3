import { phoneOf } from './phone-calls.ts';
import { person, type TestServer } from './world.ts';

let lastNumber = 100;
/** A number that no other test calls, E.164. */
export const newNumber = () => `+1202555${String(lastNumber++).padStart(4, '0')}`;
export const inWords = (number: string) => number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3');

/** Ann, and a computer that Mum uses. */
export async function consentFamily(server: TestServer, { name = 'Mum', phone_number = newNumber() } = {}) {
  const holder = await person(server);
  const { token } = holder;
  const { uuid: account } = await server.db
    .selectFrom('accounts')
    .select('uuid')
    .where('email', '=', holder.email)
    .executeTakeFirstOrThrow();
  const user = { name, phone_number, is_holder: false };
  const created = await server.call('POST /web/create-device', { token, body: { name: 'Laptop', policy: null, person: user } });
  const device = String(created.body.uuid);
  server.clock.turn(1000);
  const call = (method: string) => server.call(`${method} /web/devices/${device}/call-consent`, { token });
  return {
    ...{ token, email: holder.email, account, device, phone_number, user, call },
    phone: phoneOf(server, phone_number),
    state: async () => (await call('GET')).body.state,
    uses: async (user: object | null) => {
      server.clock.turn(1000);
      const body = { name: 'Laptop', policy: 'strict', person: user };
      await server.call(`POST /web/devices/${device}`, { token, body });
    },
  };
}
export type ConsentFamily = Awaited<ReturnType<typeof consentFamily>>;

/** A family in which Mum has pressed 1. */
export async function consentGiven(server: TestServer): Promise<ConsentFamily> {
  const ann = await consentFamily(server);
  await ann.call('POST');
  await ann.phone.picksUp();
  await ann.phone.presses('1');
  await ann.phone.hangsUp();
  return ann;
}
