import { type ComponentType, useEffect, useState } from 'react';

/** A lazily loaded part that is never missed: it shows nothing while loading, and a failure is only logged. */
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
