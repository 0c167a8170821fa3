import { brand } from '@porchlight/contract/brand.ts';
import { useEffect } from 'react';

/** Before, the window has the route's title. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} · ${brand.name}`;
  }, [title]);
}
