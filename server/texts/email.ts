import { brand, colors } from '@porchlight/contract/brand.ts';
import { withCapitals } from './quoted-name.ts';

/** Emails have one column, 18 px, our logo, one button, and are readable without pictures. */
export interface Email {
  subject: string;
  heading: string;
  /** A call button at the top. `number`: E.164; `shown`: for display. */
  call?: { label: string; number: string; shown: string };
  paragraphs?: string[];
  /** Sections, such as the four of an alert. */
  sections?: { title: string; text: string }[];
  button?: { label: string; url: string };
  /** A plain link in the footer, which takes no words from the message. */
  quiet?: { label: string; url: string };
}

export interface WrittenEmail {
  subject: string;
  html: string;
  text: string;
  /** For a shorter message about the same: the sentences below the heading, without titles and links. */
  lead?: string;
  /** The button's URL. */
  url?: string;
}

const safetyNote = `Nobody from ${brand.name} will ever ask you to tell them your password or PIN.`;

export function writeEmail(written: Email): WrittenEmail {
  const email: Email = {
    ...written,
    subject: withCapitals(written.subject),
    heading: withCapitals(written.heading),
    ...(written.paragraphs ? { paragraphs: written.paragraphs.map(withCapitals) } : {}),
    ...(written.sections ? { sections: written.sections.map(({ title, text: words }) => ({ title, text: withCapitals(words) })) } : {}),
  };
  const { paragraphs = [], sections = [], button } = email;
  // Without its question an answer such as *Yes, on this computer* says nothing.
  const statements = sections.filter(({ title }) => !title.endsWith('?'));
  const lead = [...paragraphs, ...statements.map((part) => part.text)].join(' ');
  return { subject: email.subject, html: html(email), text: text(email), lead, ...(button ? { url: button.url } : {}) };
}

/** Adds a paragraph below the heading. */
export function withNote({ subject, html, text }: WrittenEmail, note: string): WrittenEmail {
  return { subject, html: html.replace('</h1>', () => `</h1>${line(escape(note))}`), text: text.replace('\n\n', () => `\n\n${note}\n\n`) };
}

function text({ heading, call, paragraphs = [], sections = [], button, quiet }: Email): string {
  const blocks = [
    heading,
    ...(call ? [`${call.label}: ${call.shown}`] : []),
    ...paragraphs,
    ...sections.map((p) => `${p.title}\n${p.text}`),
  ];
  if (button) blocks.push(`${button.label}:\n${button.url}`);
  blocks.push(`${safetyNote}\n${brand.support.title}: ${brand.support.email}, ${brand.support.phone}`);
  if (quiet) blocks.push(`${quiet.label}:\n${quiet.url}`);
  return `${blocks.join('\n\n')}\n`;
}

const line = (content: string, style = '') => `<p style="margin:0 0 16px;${style}">${content}</p>`;

const bigLink = (url: string, label: string) => {
  const c = colors.light;
  const style = `display:inline-block;padding:14px 24px;border-radius:12px;background:${c.action};color:${c['action-ink']};font-weight:bold;text-decoration:none`;
  return line(`<a href="${escape(url)}" style="${style}">${escape(label)}</a>`, 'margin:24px 0');
};

function html({ heading, call, paragraphs = [], sections = [], button, quiet }: Email): string {
  const c = colors.light;
  const body = [
    line(
      `<span aria-hidden="true" style="display:inline-block;width:14px;height:18px;margin-right:10px;border:3px solid ${c.ink};border-radius:3px 3px 6px 6px;background:${c.lamp};vertical-align:middle"></span><strong>${escape(brand.name)}</strong>`,
    ),
    `<h1 style="margin:0 0 16px;font-size:26px;line-height:1.25">${escape(heading)}</h1>`,
    call ? bigLink(`tel:${call.number}`, `${call.label}: ${call.shown}`) : '',
    ...paragraphs.map((p) => line(escape(p))),
    ...sections.map((p) => line(`<strong>${escape(p.title)}</strong><br>${escape(p.text)}`)),
    button ? bigLink(button.url, button.label) : '',
    `<hr style="border:0;border-top:1px solid ${c.line};margin:24px 0 16px">`,
    quiet ? line(`<a href="${escape(quiet.url)}" style="color:${c.action}">${escape(quiet.label)}</a>`) : '',
    line(
      `${escape(safetyNote)}<br>${escape(brand.support.title)}: <a href="mailto:${brand.support.email}" style="color:${c.action}">${brand.support.email}</a>, ${brand.support.phone}`,
      `font-size:16px;color:${c['ink-soft']}`,
    ),
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(heading)}</title></head><body style="margin:0;background:${c.paper}"><div style="max-width:600px;margin:0 auto;padding:32px 24px;background:${c.card};color:${c.ink};font:18px/1.5 'Atkinson Hyperlegible Next',Verdana,sans-serif">${body.join('')}</div></body></html>`;
}

/** Opens the confirmation of *Stop this* on a guardian's page: the link itself changes nothing (P10.6). `link`: of the page. */
export const stopLink = (link: string): { label: string; url: string } => ({ label: 'Stop this', url: `${link}?stop=1` });

export function escape(raw: string): string {
  return raw.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
