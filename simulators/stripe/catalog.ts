import { z } from 'zod';
import type { Price, Product } from './api-types.ts';
import { arrayOf, flag, isWithin, mergeMetadata, metadata, moments, paging, text, wholeNumber } from './form.ts';
import { pageOf } from './lists.ts';
import { invalidParameter, noSuch } from './refused.ts';
import { type Route, route } from './route.ts';
import { newPrice, newProduct } from './seed.ts';
import { newId, type Shop } from './shop.ts';

const interval = z.enum(['month', 'year']);

export const catalogRoutes: Route[] = [
  route(
    'GET /v1/products',
    { ...paging, active: flag.optional(), ids: arrayOf(text).optional(), created: moments.optional() },
    ({ state }, form) =>
      pageOf(
        Object.values(state.products).filter(
          (row) => is(form.active, row.active) && (form.ids?.includes(row.id) ?? true) && isWithin(row.created, form.created),
        ),
        '/v1/products',
        form,
      ),
  ),
  route('GET /v1/products/:id', {}, (shop, _form, id) => productOf(shop, id)),
  route('POST /v1/products', { name: text, id: text.optional(), metadata: metadata.optional() }, (shop, form) => {
    const id = form.id ?? newId('prod', 14);
    if (Object.hasOwn(shop.state.products, id))
      throw invalidParameter('id', `There is a product '${id}' already.`, 'resource_already_exists');
    const product = newProduct(id, form.name, mergeMetadata({}, form.metadata), shop.now);
    shop.state.products[id] = product;
    return product;
  }),
  route('POST /v1/products/:id', { name: text.optional(), active: flag.optional(), metadata: metadata.optional() }, (shop, form, id) => {
    const product = productOf(shop, id);
    const { name = product.name, active = product.active } = form;
    return Object.assign(product, { name, active, metadata: mergeMetadata(product.metadata, form.metadata), updated: shop.now });
  }),

  route(
    'GET /v1/prices',
    {
      ...paging,
      active: flag.optional(),
      product: text.optional(),
      currency: text.optional(),
      lookup_keys: arrayOf(text).optional(),
      type: z.enum(['one_time', 'recurring']).optional(),
      recurring: z.strictObject({ interval: interval.optional(), usage_type: text.optional() }).optional(),
      created: moments.optional(),
    },
    ({ state }, form) =>
      pageOf(
        Object.values(state.prices).filter(
          (row) =>
            is(form.active, row.active) &&
            is(form.product, row.product) &&
            is(form.currency, row.currency) &&
            is(form.type, row.type) &&
            is(form.recurring?.interval, row.recurring.interval) &&
            (form.lookup_keys?.includes(row.lookup_key ?? '') ?? true) &&
            isWithin(row.created, form.created),
        ),
        '/v1/prices',
        form,
      ),
  ),
  route('GET /v1/prices/:id', {}, (shop, _form, id) => priceOf(shop, id)),
  route(
    'POST /v1/prices',
    {
      product: text,
      currency: z.string().regex(/^[a-z]{3}$/),
      unit_amount: wholeNumber,
      recurring: z.strictObject({ interval, interval_count: z.literal('1').optional() }),
      metadata: metadata.optional(),
    },
    (shop, { product, currency, unit_amount: amount, recurring, metadata: newMetadata }) => {
      productOf(shop, product, 'product');
      const fields = {
        id: newId('price'),
        product,
        interval: recurring.interval,
        amount,
        currency,
        metadata: mergeMetadata({}, newMetadata),
      };
      const price = { ...newPrice(fields, shop.now), lookup_key: null };
      shop.state.prices[price.id] = price;
      return price;
    },
  ),
  route('POST /v1/prices/:id', { active: flag.optional(), nickname: text.optional(), metadata: metadata.optional() }, (shop, form, id) => {
    const price = priceOf(shop, id);
    const { active = price.active, nickname = price.nickname } = form;
    return Object.assign(price, { active, nickname, metadata: mergeMetadata(price.metadata, form.metadata) });
  }),
];

export const is = <T>(filter: T | undefined, value: T) => filter === undefined || filter === value;

export function productOf({ state }: Shop, id: string, param?: string): Product {
  return (Object.hasOwn(state.products, id) && state.products[id]) || raise(noSuch('product', id, param));
}

export function priceOf({ state }: Shop, id: string, param?: string): Price {
  return (Object.hasOwn(state.prices, id) && state.prices[id]) || raise(noSuch('price', id, param));
}

export function raise(reason: Error): never {
  throw reason;
}
