/** Lets a screen report a milestone without knowing whether analytics is on (4.5). */
export type Milestone = 'Register';

const name = 'porchlight:milestone';

export function reportMilestone(milestone: Milestone): void {
  window.dispatchEvent(new CustomEvent(name, { detail: milestone }));
}

export function onMilestone(notify: (milestone: Milestone) => void): () => void {
  const listen = (event: Event) => notify((event as CustomEvent<Milestone>).detail);
  window.addEventListener(name, listen);
  return () => window.removeEventListener(name, listen);
}
