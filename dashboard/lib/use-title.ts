import { brand } from '@porchlight/contract/brand.ts';
import { useEffect } from 'react';

/** Names the window by what the screen shows, once it shows it; until then it is called as its route is. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} · ${brand.name}`;
  }, [title]);
}
