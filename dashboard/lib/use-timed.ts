import { useEffect, useRef, useState } from 'react';

export function useTimed<T>(ms: number): [T | null, (value: T) => void] {
  const [value, setValue] = useState<T | null>(null);
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (newValue: T) => {
    clearTimeout(timer.current);
    setValue(newValue);
    timer.current = window.setTimeout(() => setValue(null), ms);
  };
  return [value, show];
}
