import { useEffect, useState } from 'react';

/** A full number as people write it, once the library of countries is there; until then as it is. */
export function usePhoneText(number: string): string {
  const [read, setRead] = useState({ number, text: number });
  useEffect(() => {
    let live = true;
    import('./phone-field.tsx').then(
      ({ phoneText }) => live && setRead({ number, text: phoneText(number) }),
      // Without the library the number as it is will do.
      () => {},
    );
    return () => {
      live = false;
    };
  }, [number]);
  return read.number === number ? read.text : number;
}
