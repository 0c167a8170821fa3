import type { PhoneCall } from '@porchlight/simulators/twilio/calls.ts';
import type { TestServer } from './world.ts';

/** The phone with this number (E.164): each function is about the newest call. */
export function phoneOf(server: Pick<TestServer, 'app' | 'db' | 'callsTo' | 'phones'>, number: string) {
  const newest = async (): Promise<PhoneCall> => {
    const [call] = await server.callsTo(number);
    if (!call) throw new Error(`${number} was not called`);
    return call;
  };
  /** What was read since `before`; once, although it is read twice while a key is awaited. */
  const spoken = async (before: number) => {
    const { words: all, action } = await newest();
    const words = all.slice(before);
    return { say: action === null ? words : words.slice(0, words.length / 2), keys: action !== null };
  };

  return {
    /** The calls that the server stored, newest first. */
    async calls() {
      await server.app.worker.idle();
      return server.db
        .selectFrom('calls')
        .selectAll()
        .where('phone_number', '=', number)
        .orderBy('created', 'desc')
        .orderBy('uuid')
        .execute();
    },
    async picksUp(by: 'human' | 'machine' = 'human') {
      const { id } = await newest();
      await (by === 'human' ? server.phones.answer(id) : server.phones.voicemail(id));
      return spoken(0);
    },
    /** Picks up if the phone rings, and presses a key. */
    async presses(key: string) {
      const { id } = await newest();
      await server.phones.answer(id);
      const before = (await newest()).words.length;
      await server.phones.press(id, key);
      return spoken(before);
    },
    async hangsUp() {
      await server.phones.hangUp((await newest()).id);
    },
    /** Nobody picks up. */
    async ignores() {
      await server.phones.ignore((await newest()).id);
    },
  };
}
