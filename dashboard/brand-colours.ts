import { colors } from '@porchlight/contract/brand.ts';
import type { Plugin } from 'vite';

/** The brand's colors as CSS custom properties, light and dark. */
export function brandColours(): Plugin {
  const id = 'virtual:brand.css';
  const roles = (colours: Record<string, string>) =>
    Object.entries(colours)
      .map(([role, value]) => `--${role}:${value}`)
      .join(';');
  const css = `:root{${roles(colors.light)}}@media (prefers-color-scheme:dark){:root{${roles(colors.dark)}}}`;
  return {
    name: 'brand-colours',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? css : undefined),
  };
}
