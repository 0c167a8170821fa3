import { openWindowSocket } from './show-window-socket.ts';

/** An agent as far as its window goes. */
interface Shown {
  showWindow(): void;
  stepBack(): Promise<void>;
  close(why?: 'shutdown' | 'stopped'): Promise<void>;
}

/** The agent, with a door at `path` for as long as the window is its own: whoever takes over has one in the same place. */
export async function withWindowSocket<T extends Shown>(agent: T, path: string): Promise<T> {
  const door = await openWindowSocket(path, agent.showWindow);
  let closing: Promise<void> | undefined;
  const shut = () => {
    closing ??= door?.close() ?? Promise.resolve();
    return closing;
  };
  return {
    ...agent,
    async stepBack() {
      await shut();
      await agent.stepBack();
    },
    async close(why) {
      await shut();
      await agent.close(why);
    },
  };
}
