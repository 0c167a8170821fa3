import { type ComponentType, useEffect, useState } from 'react';

/** A part that comes by itself, and that nobody misses before it is there or when it does not come. */
export function optional<P extends object>(from: () => Promise<ComponentType<P>>): ComponentType<P> {
  return (props) => {
    const [Part, setPart] = useState<ComponentType<P> | null>(null);
    useEffect(() => {
      from().then(
        (part) => setPart(() => part),
        (err) => console.warn('A part did not load.', err),
      );
    }, []);
    return Part && <Part {...props} />;
  };
}
