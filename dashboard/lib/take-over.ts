import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';

/**
 * Renders the page, or takes over the elements that the build has rendered, with what was typed into them before. Those are for guests:
 * `asRendered` is false if this visitor sees another page.
 */
export function takeOver(root: HTMLElement, page: ReactNode, asRendered = true): void {
  if (!asRendered) root.replaceChildren();
  if (!root.hasChildNodes()) return createRoot(root).render(page);
  const changedFields = [...root.querySelectorAll('input')]
    .filter((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked)
    .map((field) => ({ field, value: field.value, checked: field.checked }));
  // React ignores an event after which a field has the value that it had when React first saw it.
  for (const { field } of changedFields) {
    field.value = field.defaultValue;
    field.checked = field.defaultChecked;
  }
  // All at once, so that no paint shows the fields empty.
  flushSync(() => void hydrateRoot(root, page));
  for (const { field, value, checked } of changedFields) {
    if (field.checked !== checked) field.click();
    if (field.value === value) continue;
    setNativeValue(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** As typing does: React notices a value that is set by the field's own property, and would find no change. */
function setNativeValue(field: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
}
