export function escape(raw: string): string {
  return raw.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

export const paragraph = (text: string) => `<p>${escape(text)}</p>`;

/** `proof`: the CSRF token of this window. */
export const form = (action: string, proof: string, inside: string) =>
  `<form method="post" action="${action}"><input type="hidden" name="proof" value="${proof}">${inside}</form>`;

export const button = (text: string, kind: 'main' | 'quiet' = 'main') =>
  `<button${kind === 'quiet' ? ' class="quiet"' : ''}>${escape(text)}</button>`;

export const link = (href: string, text: string) => `<a href="${href}">${escape(text)}</a>`;
