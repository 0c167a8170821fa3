import { randomUUID } from 'node:crypto';
import type { Guardian } from '@porchlight/contract/guardians.ts';
import { sql } from 'kysely';
import { activeGuardian, detection, linkedDevice, person, testServer } from './world.ts';

/** Ann with the guardian Bob, and a mail server that refuses the addresses in `missing`, as if they did not exist. */
export async function failingMail() {
  const missing = new Set<string>();
  const server = await testServer({}, undefined, {
    onMailStep(step, recipient) {
      if (step === 'rcpt' && missing.has(recipient)) throw Object.assign(new Error('5.1.1 nobody'), { responseCode: 550 });
    },
  });
  const ann = await person(server);
  const bob = await activeGuardian(server, ann.token);
  const { agent } = await linkedDevice(server, ann.token);
  const idle = () => server.app.worker.idle();
  const guardians = async () => (await server.call('GET /web/guardians', { token: ann.token })).body.guardians as unknown as Guardian[];

  /** Each time of another program, so that it is no repeat. */
  const alert = async (): Promise<string> => {
    const reported = detection(server, { identifier: randomUUID() });
    await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
    return reported.uuid;
  };

  return {
    ...{ server, missing, ann, bob, idle, guardians },
    guardianBob: async () => (await guardians()).find(({ uuid }) => uuid === bob.uuid),
    /** Stores that Bob has verified this number now. */
    verifyPhone: (number: string) =>
      server.db
        .updateTable('guardians')
        .set({ phone_number: number, phone_number_verified: true, phone_verified_time: server.clock.now() })
        .where('uuid', '=', bob.uuid)
        .execute(),
    changeReach: (change: object) => server.call(`PATCH /guardian/${bob.uuid}`, { headers: bob.session, body: change }),
    alert,
    /** `work` is done before the emails, or SMS, about the alert leave; they are due an hour later, if the clock is turned so far. */
    async alertThen(channel: 'mail' | 'sms', work: () => Promise<unknown>): Promise<string> {
      const ofAlert = sql.lit(`alert:%:${channel}`);
      await sql`create function an_hour_later() returns trigger language plpgsql as $$
        begin new.run_at := new.run_at + interval '1 hour'; return new; end $$`.execute(server.db);
      await sql`create trigger later before insert on jobs for each row when (new.unique_key like ${ofAlert}) execute function an_hour_later()`.execute(
        server.db,
      );
      const uuid = await alert();
      await work();
      await sql`drop function an_hour_later cascade`.execute(server.db);
      await sql`update jobs set run_at = run_at - interval '1 hour' where unique_key like ${ofAlert} and done_at is null and failed_at is null`.execute(
        server.db,
      );
      return uuid;
    },
    /** Until messages have failed permanently, which some do on their second attempt. */
    async untilFailed(): Promise<void> {
      await idle();
      server.clock.turn(5_000);
      await idle();
    },
    textsTo: async (number: string) => (await server.textsTo(number)).map(({ body }) => body),
  };
}
