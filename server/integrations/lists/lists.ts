export type Fetched =
  | { state: 'unchanged' }
  | { state: 'new'; body: Buffer; type: string; etag: string | null; last_modified: string | null };

/** Fetches a published list of sites until `stop`. Throws a sentence for the operator on failure. */
export type FetchList = (url: string, cached: { etag: string | null; last_modified: string | null }, stop: AbortSignal) => Promise<Fetched>;
