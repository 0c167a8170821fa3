import { cleanAddress, type Place } from './addresses.ts';

export interface Analytics {
  /** A page was opened: the one in the address bar, by its route. */
  view(): void;
  event(name: string): void;
}

/** A collector that speaks as Plausible does: `POST {url}/api/event`. No script of theirs, no cookie, nothing that tells one person from another. */
export function analytics({ url, domain }: { url: string; domain: string }, place: Place): Analytics {
  const send = (name: string) => {
    const body = { name, domain, url: cleanAddress(window.location.href, place), ...from(place.origin) };
    // Sent as text, which needs no preflight. A failing collector is ignored.
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

/** The referrer's host, when it is another one. */
function from(origin: string): { referrer?: string } {
  const referrer = URL.parse(document.referrer)?.origin;
  return referrer && referrer !== 'null' && referrer !== origin ? { referrer } : {};
}
