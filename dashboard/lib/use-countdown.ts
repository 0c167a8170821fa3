import { useEffect, useState } from 'react';

/** Whole seconds until something may be done again: `start(60)`, then 59, 58 … 0. By the clock, because a page that is not looked at hardly ticks. */
export function useCountdown(from = 0): [seconds: number, start: (seconds: number) => void] {
  const [now, setNow] = useState(Date.now);
  const [end, setEnd] = useState(now + from * 1000);
  const left = Math.max(0, Math.ceil((end - now) / 1000));
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running, end]);
  const start = (seconds: number) => {
    setNow(Date.now());
    setEnd(Date.now() + seconds * 1000);
  };
  return [left, start];
}
