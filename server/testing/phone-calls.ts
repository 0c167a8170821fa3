import type { PhoneCall } from '@porchlight/simulators/twilio/calls.ts';
import type { TestServer } from './world.ts';

/** The simulated phone with this number (E.164). Each function is about its newest call, and returns what is read to it. */
export function phoneOf({ callsTo, phones }: Pick<TestServer, 'callsTo' | 'phones'>, number: string) {
  const newest = async (): Promise<PhoneCall> => {
    const [call] = await callsTo(number);
    if (!call) throw new Error(`${number} was not called`);
    return call;
  };
  /** The sentences that are new since `before`. */
  const saidSince = async ({ said }: PhoneCall) => (await newest()).said.slice(said.length);

  const picksUp = async (by: 'human' | 'voicemail' = 'human'): Promise<string[]> => {
    const call = await newest();
    await (by === 'human' ? phones.answer(call.id) : phones.voicemail(call.id));
    return saidSince(call);
  };
  return {
    calls: () => callsTo(number),
    picksUp,
    /** Picks up first, if it rings. */
    async presses(key: string): Promise<string[]> {
      if ((await newest()).state === 'ringing') await picksUp();
      const call = await newest();
      await phones.press(call.id, key);
      return saidSince(call);
    },
    hangsUp: async () => phones.hangUp((await newest()).id),
    isNotPickedUp: async () => phones.ignore((await newest()).id),
  };
}
