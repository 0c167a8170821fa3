import { z } from 'zod';

/** What a form with brackets says: `a[b][0]=c` is `{a: {b: {0: 'c'}}}`. */
export interface Form {
  [name: string]: string | Form;
}

/** Reads `application/x-www-form-urlencoded` with the brackets that Stripe's libraries write, `[]` included. */
export function decodeForm(text: string): Form {
  const form = Object.create(null) as Form;
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[');
    let at = form;
    path.forEach((step, i) => {
      const key = step === '' ? String(Object.keys(at).length) : step;
      if (i === path.length - 1) {
        at[key] = value;
        return;
      }
      const below = at[key];
      const next = typeof below === 'object' ? below : (Object.create(null) as Form);
      at[key] = next;
      at = next;
    });
  }
  return form;
}

export const text = z.string().min(1).max(5000);
export const whole = z
  .string()
  .regex(/^-?\d{1,12}$/)
  .transform(Number);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
/** Values under 0, 1, 2 … */
export const many = <T extends z.ZodType>(of: T) =>
  z.preprocess((value) => (typeof value === 'object' && value ? Object.values(value) : value), z.array(of));
/** An empty value takes a key away, an empty metadata all of them. */
export const metadata = z.union([z.literal(''), z.record(z.string().max(40), z.string().max(500))]);
/** Unix seconds: a moment, or from and to. */
export const moments = z.union([
  whole,
  z.strictObject({ gt: whole.optional(), gte: whole.optional(), lt: whole.optional(), lte: whole.optional() }),
]);
export const paging = { limit: whole.optional(), starting_after: text.optional(), ending_before: text.optional() };

export function within(moment: number, range: z.infer<typeof moments> | undefined): boolean {
  if (range === undefined) return true;
  if (typeof range === 'number') return moment === range;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return moment > gt && moment >= gte && moment < lt && moment <= lte;
}

/** `was` with what a request says about it. */
export function mergeMetadata(was: Record<string, string>, said: z.infer<typeof metadata> | undefined): Record<string, string> {
  if (said === undefined) return was;
  if (said === '') return {};
  return Object.fromEntries(Object.entries({ ...was, ...said }).filter(([, value]) => value !== ''));
}
