import { cleanAddress, type Place } from './addresses.ts';

export interface Analytics {
  view(): void;
  event(name: string): void;
}

/** Plausible's protocol without its script, cookies, or anything that identifies a visitor. */
export function analytics({ url, domain }: { url: string; domain: string }, place: Place): Analytics {
  const send = (name: string) => {
    const body = { name, domain, url: cleanAddress(window.location.href, place), ...referrerOf(place.origin) };
    // The body is sent as text, which needs no preflight. Failures are ignored.
    void fetch(`${url}/api/event`, {
      method: 'POST',
      mode: 'no-cors',
      keepalive: true,
      credentials: 'omit',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify(body),
    }).catch(() => {});
  };
  return { view: () => send('pageview'), event: send };
}

function referrerOf(origin: string): { referrer?: string } {
  const referrer = URL.parse(document.referrer)?.origin;
  return referrer && referrer !== 'null' && referrer !== origin ? { referrer } : {};
}
