/** Whether a guardian is asked to get alerts in this browser: from accepting until they answer, and once on the home screen. */

const keyOf = (guardian: string) => `porchlight_push_offer:${guardian}`;

export function openOffer(guardian: string): void {
  localStorage.setItem(keyOf(guardian), 'open');
}

export function closeOffer(guardian: string): void {
  localStorage.setItem(keyOf(guardian), 'answered');
}

/** `null`: neither accepted nor answered in this browser. */
export const offerOf = (guardian: string) => localStorage.getItem(keyOf(guardian)) as 'open' | 'answered' | null;

/** Whether the page was opened from the home screen. On an iPhone it shares neither cookies nor storage with the browser then. */
export const isOnHomeScreen = () => window.matchMedia('(display-mode: standalone)').matches;
