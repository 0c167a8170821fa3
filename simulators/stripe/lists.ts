import type { List } from './api-types.ts';
import { invalidParameter } from './refused.ts';
import { find, type Shop } from './shop.ts';

interface Paging {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

/** A page of a list. `rows` are in order of creation; the page lists the newest first. */
export function pageOf<T extends { id: string }>(rows: T[], url: string, { limit = 10, starting_after, ending_before }: Paging): List<T> {
  if (limit < 1 || limit > 100) throw invalidParameter('limit', 'A page has 1 to 100 things.', 'parameter_invalid_integer');
  const newest = rows.toReversed();
  const indexOfRow = (name: 'starting_after' | 'ending_before', id: string) => {
    const rowIndex = newest.findIndex((row) => row.id === id);
    if (rowIndex < 0) throw invalidParameter(name, `There is no '${id}' in this list.`, 'resource_missing');
    return rowIndex;
  };
  if (ending_before !== undefined) {
    const end = indexOfRow('ending_before', ending_before);
    const start = Math.max(0, end - limit);
    return { object: 'list', data: newest.slice(start, end), has_more: start > 0, url };
  }
  const start = starting_after === undefined ? 0 : indexOfRow('starting_after', starting_after) + 1;
  return { object: 'list', data: newest.slice(start, start + limit), has_more: start + limit < newest.length, url };
}

/** A copy of `answer` with ids replaced by objects at these paths: `data.product`, `promotion.coupon`. */
export function expanded(shop: Shop, answer: object, paths: string[]): object {
  const answerCopy = structuredClone(answer);
  for (const path of paths) expand(shop, answerCopy, path.split('.'), path);
  return answerCopy;
}

function expand(shop: Shop, target: unknown, [name = '', ...restPath]: string[], path: string): void {
  if (Array.isArray(target)) {
    for (const item of target) expand(shop, item, [name, ...restPath], path);
    return;
  }
  if (typeof target !== 'object' || target === null) return;
  const targetObject = target as Record<string, unknown>;
  const current = targetObject[name];
  if (current === undefined) throw invalidParameter('expand', `'${path}' is nothing that can be expanded here.`);
  const expandValue = (value: unknown) => {
    if (typeof value !== 'string') return value;
    const foundObject = find(shop, value);
    if (!foundObject) throw invalidParameter('expand', `'${path}' is nothing that can be expanded here.`);
    return structuredClone(foundObject);
  };
  targetObject[name] = Array.isArray(current) ? current.map(expandValue) : expandValue(current);
  if (restPath.length) expand(shop, targetObject[name], restPath, path);
}
