/** Extended attributes of an open file: xattr(7). */
export interface Attributes {
  /** Null when the file has none of this name. */
  get(file: number, name: string): string | null;
  /** False where the file system has no such attributes, or the agent lacks CAP_SYS_ADMIN. */
  set(file: number, name: string, value: string): boolean;
}

/** Enough for an address. */
const MAX_BYTES = 4096;

/** Null without koffi. */
export async function loadAttributes(): Promise<Attributes | null> {
  try {
    const { default: koffi } = await import('koffi');
    const c = koffi.load(null);
    const getAttribute = c.func('long getxattr(const char *path, const char *name, _Out_ uint8_t *value, size_t size)');
    const setAttribute = c.func('int setxattr(const char *path, const char *name, const uint8_t *value, size_t size, int flags)');
    const value = Buffer.alloc(MAX_BYTES);
    return {
      get(file, name) {
        const length = Number(getAttribute(linkTo(file), name, value, MAX_BYTES));
        return length < 0 ? null : value.toString('utf8', 0, length);
      },
      set(file, name, text) {
        const bytes = Buffer.from(text);
        return setAttribute(linkTo(file), name, bytes, bytes.length, 0) === 0;
      },
    };
  } catch {
    return null;
  }
}

/**
 * The file itself, even if its path has another file now. The calls with a descriptor do not take one of O_PATH, and a file must not be opened
 * for reading before it is known to be a regular one.
 */
const linkTo = (file: number) => `/proc/self/fd/${file}`;
