import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
// By its path: the settings are read before the packages are there.
import { brand } from '../../contract/brand.ts';

/** Addresses that nobody has (RFC 2606, RFC 6761), and numbers that are for films. */
const nobodys = { email: /[@.](example|invalid|test|localhost)$|@example\.(com|net|org)$/i, phone: /555[-. ]?01\d\d$/ };
const legal = ['terms-of-service', 'privacy-policy'] as const;
const mark = 'Template for the operator';

export interface OperatorTexts {
  support: { email: string; phone: string };
  /** What the legal pages say, by file. */
  pages: Record<string, string>;
}

/** What stands in the files of this checkout. A page that was built without its source beside it is looked at as it was built. */
export function operatorTexts(): OperatorTexts {
  const read = (file: string) => {
    try {
      return readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
    } catch {
      return null;
    }
  };
  const page = (name: string) => read(`dashboard/${name}.html`) ?? read(`dashboard/dist/${name}.html`) ?? '';
  return { support: brand.support, pages: Object.fromEntries(legal.map((name) => [`dashboard/${name}.html`, page(name)])) };
}

/** What of the operator's own words is still ours, a sentence each. Nobody is to be sent to an address that does not exist. */
export function templateTexts({ support, pages }: OperatorTexts): string[] {
  const wrong: string[] = [];
  const { email, phone } = support;
  if (nobodys.email.test(email) || nobodys.phone.test(phone)) {
    wrong.push(
      `contract/brand.ts still has the name, the email address and the phone number of the template (${email}, ${phone}): write your own there. People who need help read them on every page.`,
    );
  }
  for (const [file, text] of Object.entries(pages)) {
    if (text.includes(mark)) wrong.push(`${file} is still the template: replace its text with your own, and the note that says so.`);
  }
  return wrong;
}
