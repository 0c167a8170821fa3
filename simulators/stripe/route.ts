import { z } from 'zod';
import { arrayOf, type Form, text } from './form.ts';
import { Refused } from './refused.ts';
import type { Shop } from './shop.ts';

export interface Route {
  method: string;
  path: RegExp;
  /** Answers a call with an object, ids not yet expanded; throws `Refused` before any change. */
  run(shop: Shop, form: Form, id: string): { answer: object; expand: string[] };
}

const expand = arrayOf(text).optional();

/** `route('POST /v1/coupons/:id', {…}, (shop, form, id) => …)`. Parameters not in the shape are refused, as Stripe does. */
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
      const expandPaths = expand.safeParse(paths);
      if (!expandPaths.success) throw new Refused(400, 'expand is a list of names.', { param: 'expand' });
      return { answer: answer(shop, read.data as z.infer<z.ZodObject<T>>, id), expand: (expandPaths.data ?? []) as string[] };
    },
  };
}

/** An error that names the first invalid parameter, as `a[b][0]`. */
function refusal(error: z.ZodError): Refused {
  const [issue] = error.issues;
  const unknownField = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const [firstKey = '', ...otherKeys] = [...(issue?.path ?? []), ...(unknownField === undefined ? [] : [unknownField])].map(String);
  const param = firstKey + otherKeys.map((step) => `[${step}]`).join('');
  if (unknownField !== undefined) return new Refused(400, `This call knows no parameter ${param}.`, { code: 'parameter_unknown', param });
  const isMissing = issue?.code === 'invalid_type' && issue.input === undefined && /undefined/.test(issue.message);
  if (isMissing) return new Refused(400, `The parameter ${param} is missing.`, { code: 'parameter_missing', param });
  return new Refused(400, `The parameter ${param} cannot be read: ${issue?.message ?? ''}`, { code: 'parameter_invalid', param });
}
