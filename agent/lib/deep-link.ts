import { type HandOver, parseLinkUri } from '@porchlight/contract/loopback.ts';

/** A link as it is clicked: the signed one with `&signature=…` behind it. Null when it is no link to an account. */
export function handOverOf(link: string): (HandOver & { origin: string }) | null {
  const found = /^(.*)&signature=((?:[\w+/=-]|%[0-9a-f]{2})+)$/i.exec(link);
  const uri = found?.[1] ?? '';
  const parsed = parseLinkUri(uri);
  if (!found?.[2] || !parsed || !URL.canParse(parsed.server)) return null;
  return { uri, signature: decodeURIComponent(found[2]), origin: new URL(parsed.server).origin };
}
