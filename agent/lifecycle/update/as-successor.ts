import { type FromSuccessor, successorMark } from './successor.ts';

/** The successor's side of `handOver`; null in an agent that is no successor. */
export function asSuccessor(process: NodeJS.Process): { go(): Promise<void>; protects(): void } | null {
  if (process.env[successorMark] === undefined || !process.send) return null;
  delete process.env[successorMark];
  // The former agent may be gone, which the event `disconnect` reports; an unhandled error would end this one.
  const sendMessage = (message: FromSuccessor) => void process.send?.(message, undefined, {}, () => {});
  return {
    go: () =>
      new Promise((resolve, reject) => {
        process.once('message', () => resolve());
        process.once('disconnect', () => reject(new Error('The agent that this one was to take over from has gone.')));
        sendMessage('loaded');
      }),
    protects: () => sendMessage('protecting'),
  };
}
