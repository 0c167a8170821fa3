/** How long the browser may take to read the file, in milliseconds, before its memory is freed. */
const readWithinMs = 60_000;

/** Saves a text as a file, where the browser puts downloads. */
export function saveFile({ file_name, content_type, content }: { file_name: string; content_type: string; content: string }): void {
  const url = URL.createObjectURL(new Blob([content], { type: content_type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file_name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), readWithinMs);
}
