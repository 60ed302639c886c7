import { css, html } from 'lit'
import { type IconName, icon } from './icons.ts'

/** How good or bad it is. Never shown by colour alone: each comes with an icon and a word. */
export type Tone = 'positive' | 'notice' | 'critical' | 'info' | 'neutral'

const icons: Readonly<Record<Tone, IconName>> = {
  positive: 'check',
  notice: 'clock',
  critical: 'warning',
  info: 'play',
  neutral: 'pause',
}

const words: Readonly<Record<string, string>> = { partial: 'Partly shipped', partially_refunded: 'Partly refunded' }

/** What states are called: codes of the API, in capitals or with underscores, in sentence case; what is words already stays. */
export function stateName(state: string): string {
  if (!/^(?:[A-Z]{3,}(?:_[A-Z]+)*|[a-z]+(?:_[a-z]+)*)$/.test(state)) return state
  const code = state.toLowerCase()
  const plain = code.replaceAll('_', ' ')
  return words[code] ?? plain.charAt(0).toUpperCase() + plain.slice(1)
}

export const badge = (tone: Tone, text: string, options: { icon?: IconName; title?: string } = {}) =>
  html`<span class="badge ${tone}" part="badge" title=${options.title ?? ''}>${icon(options.icon ?? icons[tone], 12)}${stateName(text)}</span>`

export const badges = css`
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    padding-block: 1px;
    padding-inline: 6px 8px;
    border-radius: 99px;
    background: var(--_sunken);
    color: var(--_muted);
    font: 500 12px / 18px var(--_font);
    white-space: nowrap;
  }
  /* On the page itself, which has the colour of what is neutral, it would have no shape. */
  .badge.neutral {
    box-shadow: inset 0 0 0 1px var(--_line);
  }
  .badge.positive {
    background: var(--_positive-soft);
    color: var(--_positive);
  }
  .badge.notice {
    background: var(--_notice-soft);
    color: var(--_notice);
  }
  .badge.critical {
    background: var(--_critical-soft);
    color: var(--_critical);
  }
  .badge.info {
    background: var(--_info-soft);
    color: var(--_info);
  }
`

const integrationTones: Readonly<Record<string, Tone>> = {
  ACTIVE: 'positive',
  PENDING: 'notice',
  ERROR: 'critical',
  INACTIVE: 'neutral',
  UNINSTALLED: 'neutral',
}
export const integrationTone = (status: string): Tone => integrationTones[status] ?? 'neutral'

const runTones: Readonly<Record<string, Tone>> = {
  completed: 'positive',
  running: 'info',
  queued: 'notice',
  failed: 'critical',
  cancelled: 'neutral',
}
export const runTone = (status: string): Tone => runTones[status] ?? 'neutral'

const levelTones: Readonly<Record<string, Tone>> = { info: 'info', warning: 'notice', error: 'critical' }
export const levelTone = (level: string): Tone => levelTones[level] ?? 'neutral'
