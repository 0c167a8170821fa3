import { type ErrorCode, errors } from '@porchlight/contract/errors.ts';

export interface Answered {
  status: number;
  body: unknown;
}
export type Handler = (input: { query: URLSearchParams; body: unknown; gone: AbortSignal; token: string }) => Answered | Promise<Answered>;

export const ok = (body: unknown): Answered => ({ status: 200, body });
export const refuse = (code: ErrorCode): Answered => ({
  status: errors[code].status,
  body: { error: errors[code].words, code, request_id: 'test' },
});
