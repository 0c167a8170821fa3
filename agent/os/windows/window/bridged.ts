import type { Bridge } from './bridge.ts';

interface Closable<Why> {
  stepBack(): Promise<void>;
  close(why?: Why): Promise<void>;
}

/**
 * The bridges (pipes) of successive agents in this process. During a rollback two bridges exist, and each agent must close only its own.
 * `show` uses the latest.
 */
export function bridges() {
  let latest: Bridge | null = null;
  return {
    show: (url: string): boolean => latest?.show(url) ?? false,
    /** Closes the agent's bridge (null: none) when the agent closes or steps back; then `onStepBack` is called. */
    with<Why, Agent extends Closable<Why>>(agent: Agent & Closable<Why>, bridge: Bridge | null, onStepBack: () => void): Agent {
      latest = bridge;
      const closeBridge = async () => {
        if (latest === bridge) latest = null;
        await bridge?.close();
      };
      return {
        ...agent,
        async stepBack() {
          await closeBridge();
          onStepBack();
          await agent.stepBack();
        },
        async close(why?: Why) {
          await closeBridge();
          await agent.close(why);
        },
      };
    },
  };
}
