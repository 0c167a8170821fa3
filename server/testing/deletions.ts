import { hour } from '@porchlight/contract/time.ts';
import { activeGuardian, fakeAddress, goodPassword, linkedDevice, linkIn, person, type TestServer } from './world.ts';

/** An account's deletion, as its holder asks for it and keeps the account. */
export function deletionsAt(server: TestServer) {
  const subjectsTo = async (email: string) => (await server.mailsTo(email)).map(({ subject }) => subject);
  return {
    subjectsTo,
    ask: (token: string, body: object = { current_password: goodPassword }) => server.call('POST /web/account/deletion', { token, body }),
    stop: (token: string) => server.call('POST /web/account/deletion/stop', { token }),
    keep: (token: string) => server.call('POST /keep-account', { body: { token }, headers: { 'x-forwarded-for': fakeAddress() } }),
    deletesOf: async (token: string) => (await server.call('GET /web/account/deletion', { token })).body.deletes,

    /** The links of the emails that keep the account, the oldest first. */
    async keepLinks(email: string) {
      const links = (await server.mailsTo(email)).map((mail) => linkIn(mail, '/dashboard/keep-account/'));
      return links.filter(Boolean).toReversed();
    },

    deletedMails: async (email: string) => (await subjectsTo(email)).filter((subject) => subject === 'Your account was deleted').length,

    exists: async (email: string) =>
      (await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).execute()).length === 1,

    async logged(token: string, kind: string) {
      const { items } = (await server.call('GET /web/acts', { token })).body;
      return (items as unknown as { kind: string; words: string; undo: object | null }[]).filter((entry) => entry.kind === kind);
    },

    /** Time as a running server sees it: the hourly checks run. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= 6 * hour) {
        server.clock.turn(Math.min(left, 6 * hour));
        await server.app.worker.idle();
      }
    },

    async family() {
      const user = await person(server);
      const device = await linkedDevice(server, user.token);
      return { ...user, device, guardian: await activeGuardian(server, user.token) };
    },
  };
}
