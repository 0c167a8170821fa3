import { allow, expectWaiting, protection, startAndExpectEnd } from './steps.ts';
import type { Way } from './way.ts';

/** The twenty real scams of `docs/what-it-stops.md`, step by step as a victim does them. */
export const flows: Way[] = [
  {
    title: 'A page fills the screen, and the caller has the victim download AnyDesk and then allow it',
    flow: 1,
    outcome: 'held',
    short: true,
    async run(household) {
      await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
      const before = await protection(household);
      await allow(household, 'AnyDesk');
      await expectWaiting(household);
      if (JSON.stringify(await protection(household)) !== JSON.stringify(before)) throw new Error('something was weakened');
    },
  },
];
