import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
// A relative path, because settings are checked before packages are installed.
import { brand } from '../../contract/brand.ts';

/** Reserved addresses (RFC 2606, RFC 6761), and phone numbers for fiction. */
const placeholders = { email: /[@.](example|invalid|test|localhost)$|@example\.(com|net|org)$/i, phone: /555[-. ]?01\d\d$/ };
const legal = ['terms-of-service', 'privacy-policy'] as const;
const templateMark = 'Template for the operator';

export interface OperatorTexts {
  support: { email: string; phone: string };
  pages: Record<string, string>;
}

/** Reads the texts of this checkout, or of the built page if its source is missing. */
export function operatorTexts(): OperatorTexts {
  const readText = (file: string) => {
    try {
      return readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
    } catch {
      return null;
    }
  };
  const page = (name: string) => readText(`dashboard/${name}.html`) ?? readText(`dashboard/dist/${name}.html`) ?? '';
  return { support: brand.support, pages: Object.fromEntries(legal.map((name) => [`dashboard/${name}.html`, page(name)])) };
}

/** A sentence for each text, because nobody may be referred to a non-existent address. */
export function templateTexts({ support, pages }: OperatorTexts): string[] {
  const errors: string[] = [];
  const { email, phone } = support;
  if (placeholders.email.test(email) || placeholders.phone.test(phone)) {
    errors.push(
      `contract/brand.ts still has the name, the email address and the phone number of the template (${email}, ${phone}): write your own there. People who need help read them on every page.`,
    );
  }
  for (const [file, text] of Object.entries(pages)) {
    if (text.includes(templateMark))
      errors.push(`${file} is still the template: replace its text with your own, and the note that says so.`);
  }
  return errors;
}
