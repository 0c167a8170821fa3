import type { SharedDocument } from '../ports.ts';

/** A document in memory that is read and written as text, like the one that a server stores. */
export function storedDocument<T extends object>(fresh: T): SharedDocument<T> & { text(): string } {
  let text = JSON.stringify(fresh);
  return {
    text: () => text,
    async change(work) {
      const content = JSON.parse(text) as T;
      try {
        return work(content);
      } finally {
        text = JSON.stringify(content);
      }
    },
    read: async (look) => look(JSON.parse(text) as T),
  };
}
