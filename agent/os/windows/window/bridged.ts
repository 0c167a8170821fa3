import type { Bridge } from './bridge.ts';

interface Closable<Why> {
  stepBack(): Promise<void>;
  close(why?: Why): Promise<void>;
}

/**
 * A bridge for each agent of this process, one after the other: when an update is taken back there are two for a moment, and the one that goes must
 * close its own alone. `show` goes to the latest.
 */
export function bridges() {
  let latest: Bridge | null = null;
  return {
    show: (url: string): boolean => latest?.show(url) ?? false,
    /** This agent, with a bridge that ends when it steps back or is closed; `steppedBack` is called then. Null: it is without one. */
    with<Why, Of extends Closable<Why>>(agent: Of & Closable<Why>, mine: Bridge | null, steppedBack: () => void): Of {
      latest = mine;
      const end = async () => {
        if (latest === mine) latest = null;
        await mine?.close();
      };
      return {
        ...agent,
        async stepBack() {
          await end();
          steppedBack();
          await agent.stepBack();
        },
        async close(why?: Why) {
          await end();
          await agent.close(why);
        },
      };
    },
  };
}
