import { useEffect, useState } from 'react';

/** Whole seconds until something may be done again: `start(60)`, then 59, 58 … 0. */
export function useCountdown(from = 0): [seconds: number, start: (seconds: number) => void] {
  const [left, setLeft] = useState(from);
  useEffect(() => {
    if (left <= 0) return;
    const timer = window.setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return [left, setLeft];
}
