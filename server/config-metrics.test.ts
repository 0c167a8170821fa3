import { expect, test } from 'vitest';
import { readConfig as read } from './config.ts';

const texts = () => ({ support: { email: 'help@family-care.org', phone: '1-212-736-5000' }, pages: {} });
const readConfig = (env: Record<string, string>) => read(env, texts);

test('metrics at an address of other computers need a token, and on this computer they do not', () => {
  expect(() => readConfig({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' })).toThrow(/^METRICS_TOKEN is missing: /m);
  expect(() => readConfig({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0', METRICS_TOKEN: 'too-short' })).toThrow(
    'METRICS_TOKEN should be',
  );
  const token = 'twenty-random-characters';
  const metricsOf = (env: Record<string, string>) => readConfig({ METRICS_PORT: '9464', ...env }).metrics;
  expect(metricsOf({ METRICS_HOST: '0.0.0.0', METRICS_TOKEN: token })).toEqual({ port: 9464, host: '0.0.0.0', token });
  expect(metricsOf({})).toEqual({ port: 9464, host: '127.0.0.1', token: null });
  expect(readConfig({}).metrics).toMatchObject({ port: null, token: null });
});
