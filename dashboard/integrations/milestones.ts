/** What a screen tells whoever counts it, without knowing whether anyone does (4.5). */
export type Milestone = 'Register';

const name = 'porchlight:milestone';

export function reached(milestone: Milestone): void {
  window.dispatchEvent(new CustomEvent(name, { detail: milestone }));
}

export function onMilestone(tell: (milestone: Milestone) => void): () => void {
  const listen = (event: Event) => tell((event as CustomEvent<Milestone>).detail);
  window.addEventListener(name, listen);
  return () => window.removeEventListener(name, listen);
}
