/** What a list server said: nothing new since `etag` and `last_modified`, or the whole list. */
export type Fetched =
  | { state: 'unchanged' }
  | { state: 'new'; body: Buffer; type: string; etag: string | null; last_modified: string | null };

/** Fetches a list of sites that others publish. Throws a sentence for the operator when it cannot be had. */
export type FetchList = (url: string, known: { etag: string | null; last_modified: string | null }) => Promise<Fetched>;
