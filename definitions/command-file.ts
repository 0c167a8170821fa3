/** What a command runs, as a file's name and path; the switches behind it are left out. `"C:\X\a b.exe" /s`, `C:\Program Files\X\a.exe -d`. */
export function commandFile(command: string): { name: string; path: string } {
  const path = fileOf(command.trim());
  return { name: path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1), path };
}

function fileOf(command: string): string {
  const quoted = /^"([^"]+)"|^'([^']+)'/.exec(command);
  if (quoted) return quoted[1] ?? quoted[2] ?? '';
  // Windows writes paths with spaces without quotes too: the file ends where its ending does.
  const windows = /^(?:\\\?\?\\)?[^"]*?\.(?:exe|com|scr|bat|cmd|msi|dll|sys)(?=$|[\s,"])/i.exec(command)?.[0];
  if (windows) return windows;
  const bundle = /^.*?\.app\/Contents\/MacOS\/\S+/.exec(command)?.[0];
  return bundle ?? command.split(/\s+/)[0] ?? '';
}
