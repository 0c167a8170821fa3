import { brand } from '@porchlight/contract/brand.ts';
import type { ThirdPartySupport } from '@porchlight/contract/support.ts';
import { createContext, useContext } from 'react';
import { config } from './config.ts';

export interface Support {
  title: string;
  description: string | null;
  email: string | null;
  phone: string | null;
  link: { href: string; text: string } | null;
}

export const operatorSupport: Support = { ...config.support, description: null, link: null };

/** Third-party details replace the operator's (1.4), unless they contain no way to reach anyone. */
export function supportOf(details: ThirdPartySupport | null | undefined): Support {
  if (!details) return operatorSupport;
  const { email, phone, description, linktext } = details;
  const href = details.link && /^https?:\/\//i.test(details.link) ? details.link : null;
  if (!email && !phone && !href) return operatorSupport;
  const title = details.title || brand.support.title;
  return { title, description, email, phone, link: href ? { href, text: linktext || title } : null };
}

export function supportHref({ link, email, phone }: Support): string {
  return link?.href ?? (email ? `mailto:${email}` : phoneHref(phone ?? ''));
}

export function phoneHref(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}

/** Guests see the operator's. */
export const SupportContext = createContext<Support>(operatorSupport);

export function useSupport(): Support {
  return useContext(SupportContext);
}
