import { type FromSuccessor, successorMark } from './successor.ts';

/** The other end of `handOver`, in a program that was started to take over; null in any other. */
export function asSuccessor(process: NodeJS.Process): { go(): Promise<void>; protects(): void } | null {
  if (process.env[successorMark] === undefined || !process.send) return null;
  // Children of a successor are no successors.
  delete process.env[successorMark];
  const say = (word: FromSuccessor) => void process.send?.(word);
  return {
    go: () =>
      new Promise((resolve, reject) => {
        process.once('message', () => resolve());
        process.once('disconnect', () => reject(new Error('The agent that this one was to take over from has gone.')));
        say('loaded');
      }),
    protects: () => say('protecting'),
  };
}
