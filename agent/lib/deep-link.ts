import { type HandOver, parseLinkUri } from '@porchlight/contract/loopback.ts';

/** A clicked link: a signed link followed by `&signature=…`. Null for anything else. */
export function handOverOf(link: string): (HandOver & { origin: string }) | null {
  const match = /^(.*)&signature=((?:[\w+/=-]|%[0-9a-f]{2})+)$/i.exec(link);
  const uri = match?.[1] ?? '';
  const parsed = parseLinkUri(uri);
  if (!match?.[2] || !parsed || !URL.canParse(parsed.server)) return null;
  return { uri, signature: decodeURIComponent(match[2]), origin: new URL(parsed.server).origin };
}
