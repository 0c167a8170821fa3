import { useEffect, useState } from 'react';

/** A full number, formatted once the library of countries is loaded. */
export function usePhoneText(number: string): string {
  const [read, setRead] = useState({ number, text: number });
  useEffect(() => {
    let live = true;
    import('./phone-field.tsx').then(
      ({ phoneText }) => live && setRead({ number, text: phoneText(number) }),
      // Without the library the number stays unformatted.
      () => {},
    );
    return () => {
      live = false;
    };
  }, [number]);
  return read.number === number ? read.text : number;
}
