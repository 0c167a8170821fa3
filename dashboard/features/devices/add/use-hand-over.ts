import { limits } from '@porchlight/contract/limits.ts';
import type { HandOver } from '@porchlight/contract/loopback.ts';
import { useEffect, useState } from 'react';
import { handOver, isConnected, localStatus, loopbackPermission, type Waiting } from '../../../integrations/local-agent.ts';
import { useCountdown } from '../../../lib/use-countdown.ts';

/**
 * `ask`: explains the browser's prompt before it appears. `absent`: blocked, timed out or absent, which look alike (P3.3). `asked` and
 * `pin_needed`: the agent's window asks who owns this computer, and the page polls for the answer; `unanswered`: no answer in time.
 * `declined`: the user there refused.
 */
export type HandOverState = 'looking' | 'ask' | 'absent' | Waiting | 'unanswered' | 'declined' | 'connected';
type End = 'connected' | 'absent' | 'unanswered' | 'declined';

const cooldown = limits.download_restart_cooldown / 1000;

/**
 * Calls the local agent every 0.5 s, up to 120 times, and hands it the link until it is connected (4.9).
 * If the browser would prompt, it waits for `start`. `locked`: seconds until the next start is possible (4.11).
 */
export function useHandOver({ uri, signature }: HandOver): { state: HandOverState; locked: number; start: () => void } {
  const [state, setState] = useState<HandOverState>('looking');
  const [lockedSeconds, lock] = useCountdown(cooldown);
  /** The first attempt runs only without a prompt; the user starts all later attempts. */
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let live = true;
    void (async () => {
      const permission = await loopbackPermission();
      if (permission === 'prompt' && attempt === 0) return live && setState('ask');
      // Blocks until the user answers the browser's prompt.
      if (permission === 'prompt') await localStatus(null);
      const endState = await connect(
        { uri, signature },
        () => live,
        (waitingState) => live && setState(waitingState),
      );
      if (live) setState(endState);
    })();
    return () => {
      live = false;
    };
  }, [attempt, uri, signature]);

  const start = () => {
    setState('looking');
    setAttempt(attempt + 1);
    lock(cooldown);
  };
  return { state, locked: lockedSeconds, start };
}

async function connect(link: HandOver, isLive: () => boolean, onWaiting: (waitingState: Waiting) => void): Promise<End> {
  const progress: { linkResult?: Awaited<ReturnType<typeof handOver>> | 'under way'; end?: End } = {};
  const pollAgent = async () => {
    const status = await localStatus();
    // A computer of another account was already connected; if it needs the PIN, only the server knows whether it moved.
    if ((progress.linkResult === 'taken' || progress.linkResult === 'asked') && isConnected(status)) progress.end = 'connected';
    // A late status answer may arrive after the agent has refused the link.
    if (!status || !isLive() || progress.end || (progress.linkResult !== undefined && progress.linkResult !== 'no_answer')) return;
    progress.linkResult = 'under way';
    progress.linkResult = await handOver(link);
    // Retrying would use up the code's attempts, and the code may still be typed.
    if (progress.linkResult === 'refused') progress.end = 'absent';
    if (progress.linkResult === 'declined') progress.end = 'declined';
    if (progress.linkResult === 'asked' || progress.linkResult === 'pin_needed') onWaiting(progress.linkResult);
  };
  let lastPoll: Promise<void> | undefined;
  for (let tries = 0; tries < limits.local_app_tries && !progress.end && isLive(); tries++) {
    // Prompt refused or unanswered: each further call would prompt again.
    if ((await loopbackPermission()) !== 'granted') return 'absent';
    lastPoll = pollAgent();
    await new Promise((resolve) => setTimeout(resolve, limits.local_app_poll));
  }
  await lastPoll;
  return progress.end ?? (progress.linkResult === 'asked' || progress.linkResult === 'pin_needed' ? 'unanswered' : 'absent');
}
