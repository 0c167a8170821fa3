import { z } from 'zod';
import { type Form, many, text } from './form.ts';
import { Refused } from './refused.ts';
import type { Shop } from './shop.ts';

export interface Route {
  method: string;
  path: RegExp;
  /** Answers the thing, without anything expanded; throws `Refused` before it has changed anything. */
  run(shop: Shop, form: Form, id: string): { answer: object; expand: string[] };
}

const expand = many(text).optional();

/** One call: `route('POST /v1/coupons/:id', {…}, (shop, form, id) => …)`. What the shape does not name is refused, as Stripe does. */
export function route<T extends z.ZodRawShape>(
  key: string,
  shape: T,
  answer: (shop: Shop, form: z.infer<z.ZodObject<T>>, id: string) => object,
): Route {
  const [method = '', path = ''] = key.split(' ');
  const schema = z.strictObject(shape);
  return {
    method,
    path: new RegExp(`^${path.replaceAll('.', '\\.').replace(':id', '([\\w-]+)')}$`),
    run(shop, { expand: paths, ...form }, id) {
      const read = schema.safeParse(form);
      if (!read.success) throw refusal(read.error);
      const what = expand.safeParse(paths);
      if (!what.success) throw new Refused(400, 'expand is a list of names.', { param: 'expand' });
      return { answer: answer(shop, read.data as z.infer<z.ZodObject<T>>, id), expand: (what.data ?? []) as string[] };
    },
  };
}

/** The first thing that is wrong, as `a[b][0]`. */
function refusal(error: z.ZodError): Refused {
  const [issue] = error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const [first = '', ...below] = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].map(String);
  const param = first + below.map((step) => `[${step}]`).join('');
  if (unknown !== undefined) return new Refused(400, `This call knows no parameter ${param}.`, { code: 'parameter_unknown', param });
  const missing = issue?.code === 'invalid_type' && issue.input === undefined && /undefined/.test(issue.message);
  if (missing) return new Refused(400, `The parameter ${param} is missing.`, { code: 'parameter_missing', param });
  return new Refused(400, `The parameter ${param} cannot be read: ${issue?.message ?? ''}`, { code: 'parameter_invalid', param });
}
