import { expect, test } from 'vitest';
import { cleanEnvelope, type Envelope } from './envelopes.ts';

const place = { origin: 'https://www.example.org', patternOf: () => '/reset-password/:resetToken' };
const secret = 'https://www.example.org/dashboard/reset-password/SECRET';
const cleanedAddress = 'https://www.example.org/dashboard/reset-password/:resetToken';
const spans = (...starts: number[]) => ({ items: starts.map((start_timestamp) => ({ start_timestamp, name: secret })), version: 2 });
const envelope = (type: string, payload: unknown, header = {}) =>
  [{ sent_at: 'now' }, [[{ type, ...header }, payload]]] as unknown as Envelope;

test('an error event loses everything personal and keeps its release', () => {
  const event = { release: 'porchlight@1.0.0', request: { url: secret }, user: 'ann@example.org' };
  expect(cleanEnvelope(envelope('event', event), place, 0)).toEqual(
    envelope('event', { release: 'porchlight@1.0.0', request: { url: cleanedAddress }, user: ':email' }),
  );
});

test('a replay’s header states its length after cleaning', () => {
  const text = `{"segment_id":0}\n[{"href":"${secret}","é":1}]`;
  const cleanedRecording = `{"segment_id":0}\n[{"href":"${cleanedAddress}","é":1}]`;
  expect(cleanEnvelope(envelope('replay_recording', text, { length: Buffer.byteLength(text) }), place, 0)).toEqual(
    envelope('replay_recording', cleanedRecording, { length: Buffer.byteLength(cleanedRecording) }),
  );
});

test('spans that began before consent are not sent and not counted', () => {
  const sentEnvelope = cleanEnvelope(envelope('span', spans(99.999, 100, 101), { item_count: 3 }), place, 100_000);
  const expectedSpans = { ...spans(100, 101), items: [100, 101].map((start_timestamp) => ({ start_timestamp, name: cleanedAddress })) };
  expect(sentEnvelope).toEqual(envelope('span', expectedSpans, { item_count: 2 }));
  expect(cleanEnvelope(envelope('span', spans(1, 2), { item_count: 2 }), place, 100_000)).toBeNull();
});
