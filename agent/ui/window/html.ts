/** Text as HTML: nothing in it can be made to run. */
export function escape(raw: string): string {
  return raw.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

export const paragraph = (text: string) => `<p>${escape(text)}</p>`;

/** A form of the window. `proof` shows that this window was asked to show it: without it nothing is done. */
export const form = (action: string, proof: string, inside: string) =>
  `<form method="post" action="${action}"><input type="hidden" name="proof" value="${proof}">${inside}</form>`;

export const button = (text: string, kind: 'main' | 'quiet' = 'main') =>
  `<button${kind === 'quiet' ? ' class="quiet"' : ''}>${escape(text)}</button>`;

export const link = (to: string, text: string) => `<a href="${to}">${escape(text)}</a>`;
