import { z } from 'zod';

/** A parsed form: `a[b][0]=c` is `{a: {b: {0: 'c'}}}`. */
export interface Form {
  [name: string]: string | Form;
}

/** Parses `application/x-www-form-urlencoded` with the brackets that Stripe's libraries write, `[]` included. */
export function decodeForm(text: string): Form {
  const form = Object.create(null) as Form;
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[');
    let currentForm = form;
    path.forEach((step, i) => {
      const key = step === '' ? String(Object.keys(currentForm).length) : step;
      if (i === path.length - 1) {
        currentForm[key] = value;
        return;
      }
      const currentValue = currentForm[key];
      const nextForm = typeof currentValue === 'object' ? currentValue : (Object.create(null) as Form);
      currentForm[key] = nextForm;
      currentForm = nextForm;
    });
  }
  return form;
}

export const text = z.string().min(1).max(5000);
export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,12}$/)
  .transform(Number);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
/** A list, which forms write under the keys 0, 1, 2 … */
export const arrayOf = <T extends z.ZodType>(itemSchema: T) =>
  z.preprocess((value) => (typeof value === 'object' && value ? Object.values(value) : value), z.array(itemSchema));
/** Metadata in a form: an empty value deletes a key, an empty text all keys. */
export const metadata = z.union([z.literal(''), z.record(z.string().max(40), z.string().max(500))]);
/** A time in Unix seconds, or a range of times. */
export const moments = z.union([
  wholeNumber,
  z.strictObject({ gt: wholeNumber.optional(), gte: wholeNumber.optional(), lt: wholeNumber.optional(), lte: wholeNumber.optional() }),
]);
export const paging = { limit: wholeNumber.optional(), starting_after: text.optional(), ending_before: text.optional() };

export function isWithin(moment: number, range: z.infer<typeof moments> | undefined): boolean {
  if (range === undefined) return true;
  if (typeof range === 'number') return moment === range;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return moment > gt && moment >= gte && moment < lt && moment <= lte;
}

export function mergeMetadata(existing: Record<string, string>, changes: z.infer<typeof metadata> | undefined): Record<string, string> {
  if (changes === undefined) return existing;
  if (changes === '') return {};
  return Object.fromEntries(Object.entries({ ...existing, ...changes }).filter(([, value]) => value !== ''));
}
