import { createHash } from 'node:crypto';
import { colors } from '@porchlight/contract/brand.ts';

const roles = (colours: Record<string, string>) =>
  Object.entries(colours)
    .map(([role, value]) => `--${role}:${value}`)
    .join(';');

/** Text has at least 18 px, and grows with the text size of the browser; controls have 44 px. */
export const style = `:root{color-scheme:light dark;${roles(colors.light)}}@media(prefers-color-scheme:dark){:root{${roles(colors.dark)}}}
*{box-sizing:border-box;margin:0}body{background:var(--paper);color:var(--ink);font:1.25rem/1.5 "Atkinson Hyperlegible Next",Verdana,sans-serif}
main{max-width:680px;margin:0 auto;padding:32px 16px;display:grid;gap:24px;overflow-wrap:anywhere}main,section,form{grid-template-columns:minmax(0,1fr)}h1{font-size:2.125rem;line-height:1.2}h2{font-size:1.5rem;line-height:1.3}h1+p{margin-top:8px}dd p+p{margin-top:12px}.lamp{width:88px;height:110px;margin-left:-14px}
section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:24px;display:grid;gap:16px}dt{font-weight:700}dd{margin:0 0 16px}dd:last-child{margin:0}ol{padding-left:24px;display:grid;gap:8px}
label,legend{font-weight:700}fieldset{border:0;padding:0;display:grid;gap:4px}.choice{display:flex;align-items:center;gap:12px;min-height:44px;font-weight:400}.choice input{width:24px;height:24px;min-height:0;flex:none;accent-color:var(--action)}
input{width:100%;min-height:56px;padding:0 16px;border:2px solid var(--line-strong);border-radius:12px;background:var(--card);color:var(--ink);font:inherit}.code{letter-spacing:.08em;text-transform:uppercase}
form{display:grid;gap:16px}button{min-height:56px;padding:0 24px;border:0;border-radius:12px;background:var(--action);color:var(--action-ink);font:inherit;font-weight:700}button.quiet{background:transparent;color:var(--action);border:2px solid var(--action)}
.steps{font-size:1.5rem;line-height:1.35;gap:16px}.calm{display:grid;gap:12px}.first{font-size:1.75rem;line-height:1.25;font-weight:700}.call{border-left:6px solid var(--lamp);padding:8px 0 8px 20px;font-size:1.75rem;line-height:1.25;font-weight:700}.note{background:var(--look-soft);color:var(--look);border-radius:12px;padding:16px;display:flex;gap:12px}.done{background:var(--safe-soft);color:var(--safe)}.icon{width:28px;height:28px;flex:none}details{color:var(--ink-soft);font-size:1.125rem}details dl{padding-top:8px}summary{min-height:44px;padding:8px 0;cursor:pointer}.soft span{display:inline-block}.clock{font-size:2.125rem;font-weight:700;font-variant-numeric:tabular-nums}
nav{display:flex;flex-wrap:wrap;gap:8px 24px}a{color:var(--action);display:inline-flex;align-items:center;min-height:44px}.soft{color:var(--ink-soft);font-size:1.125rem}:focus-visible{outline:3px solid var(--action);outline-offset:2px}`;

export const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;
