const titles = /^(?:mrs?|ms|miss|mx|dr|prof|sir|rev)\.?$/i;

/** The first of the names of a person: what a friend calls them. After a title comes the name that goes with it: `Mrs Example`. */
export function firstName(name: string): string {
  const [first = '', ...more] = name.trim().split(/\s+/);
  return titles.test(first) && more.length > 0 ? `${first} ${more.at(-1)}` : first;
}
