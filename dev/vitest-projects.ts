/** The further projects of a folder in `vitest.config.ts`: files with a process of their own, and files outside of namespaces. */
export const ownProcess = (folder: string): string => `${folder}-own-process`;
export const onHost = (folder: string): string => `${folder}-on-host`;

/** All projects that may have these files. */
export const projectsOf = (files: string[]): string[] =>
  [...new Set(files.map((file) => file.split('/')[0] ?? ''))].flatMap((folder) => [folder, ownProcess(folder), onHost(folder)]);
