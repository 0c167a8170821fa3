import { openWindowSocket, type SocketPaths } from './show-window-socket.ts';

interface Shown {
  showWindow(): void;
  needHelp(): void;
  stepBack(): Promise<void>;
  close(why?: 'shutdown' | 'stopped'): Promise<void>;
}

/** Adds the sockets until the agent steps back; then its successor opens its own there. */
export async function withWindowSocket<T extends Shown>(agent: T, paths: SocketPaths): Promise<T> {
  const sockets = [await openWindowSocket(paths.window, agent.showWindow), await openWindowSocket(paths.help, agent.needHelp)];
  let closePromise: Promise<void> | undefined;
  const shut = () => {
    closePromise ??= Promise.all(sockets.map(async (one) => one?.close())).then(() => {});
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
