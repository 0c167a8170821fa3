import { brand } from '@porchlight/contract/brand.ts';
import { useEffect } from 'react';

/** Sets the window's title once the screen knows it; before that it is the route's. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} · ${brand.name}`;
  }, [title]);
}
