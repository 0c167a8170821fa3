import { wrong } from './refused.ts';
import { find, type Shop } from './shop.ts';
import type { List } from './wire.ts';

interface Paging {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

/** One page of `rows`, newest first. `rows`: in the order they were made. */
export function pageOf<T extends { id: string }>(rows: T[], url: string, { limit = 10, starting_after, ending_before }: Paging): List<T> {
  if (limit < 1 || limit > 100) throw wrong('limit', 'A page has 1 to 100 things.', 'parameter_invalid_integer');
  const newest = rows.toReversed();
  const place = (name: 'starting_after' | 'ending_before', id: string) => {
    const at = newest.findIndex((row) => row.id === id);
    if (at < 0) throw wrong(name, `There is no '${id}' in this list.`, 'resource_missing');
    return at;
  };
  if (ending_before !== undefined) {
    const end = place('ending_before', ending_before);
    const from = Math.max(0, end - limit);
    return { object: 'list', data: newest.slice(from, end), has_more: from > 0, url };
  }
  const from = starting_after === undefined ? 0 : place('starting_after', starting_after) + 1;
  return { object: 'list', data: newest.slice(from, from + limit), has_more: from + limit < newest.length, url };
}

/** A copy of an answer in which the ids at these paths have become what they stand for: `data.product`, `promotion.coupon`. */
export function expanded(shop: Shop, answer: object, paths: string[]): object {
  const copy = structuredClone(answer);
  for (const path of paths) expand(shop, copy, path.split('.'), path);
  return copy;
}

function expand(shop: Shop, at: unknown, [name = '', ...rest]: string[], path: string): void {
  if (Array.isArray(at)) {
    for (const one of at) expand(shop, one, [name, ...rest], path);
    return;
  }
  if (typeof at !== 'object' || at === null) return;
  const thing = at as Record<string, unknown>;
  const stands = thing[name];
  if (stands === undefined) throw wrong('expand', `'${path}' is nothing that can be expanded here.`);
  const become = (value: unknown) => {
    if (typeof value !== 'string') return value;
    const found = find(shop, value);
    if (!found) throw wrong('expand', `'${path}' is nothing that can be expanded here.`);
    return structuredClone(found);
  };
  thing[name] = Array.isArray(stands) ? stands.map(become) : become(stands);
  if (rest.length) expand(shop, thing[name], rest, path);
}
