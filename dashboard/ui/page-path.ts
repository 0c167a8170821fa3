/** Without the slashes at its end. */
export function pagePath(pathname: string): string {
  let end = pathname.length;
  while (pathname[end - 1] === '/') end--;
  return pathname.slice(0, end);
}
