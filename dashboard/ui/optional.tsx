import { type ComponentType, useEffect, useState } from 'react';

/** Shows nothing while loading; a failure is only logged. */
export function optional<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return (props) => {
    const [Part, setPart] = useState<ComponentType<P> | null>(null);
    useEffect(() => {
      load().then(
        (component) => setPart(() => component),
        (err) => console.warn('A part did not load.', err),
      );
    }, []);
    return Part && <Part {...props} />;
  };
}
