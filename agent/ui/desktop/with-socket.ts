import { openWindowSocket } from './show-window-socket.ts';

interface Shown {
  showWindow(): void;
  stepBack(): Promise<void>;
  close(why?: 'shutdown' | 'stopped'): Promise<void>;
}

/** Adds a window socket at `path` until the agent steps back; then its successor opens a socket there. */
export async function withWindowSocket<T extends Shown>(agent: T, path: string): Promise<T> {
  const windowSocket = await openWindowSocket(path, agent.showWindow);
  let closePromise: Promise<void> | undefined;
  const shut = () => {
    closePromise ??= windowSocket?.close() ?? Promise.resolve();
    return closePromise;
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
