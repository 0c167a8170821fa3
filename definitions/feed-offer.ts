import type { Recognition } from './recognition.ts';

interface Offer {
  recognition: Recognition;
  sites: Uint8Array | null;
}

export const refusalOf = (_inForce: Offer, _offered: Offer): string | null => null;
