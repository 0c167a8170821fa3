import { useEffect, useRef, useState } from 'react';

/** A value that disappears after `ms`. */
export function useTimed<T>(ms: number): [T | null, (value: T) => void] {
  const [value, setValue] = useState<T | null>(null);
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (next: T) => {
    clearTimeout(timer.current);
    setValue(next);
    timer.current = window.setTimeout(() => setValue(null), ms);
  };
  return [value, show];
}
