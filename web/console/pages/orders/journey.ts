import { css, html, nothing, type TemplateResult } from 'lit'
import { type IconName, icon } from '../../../parts/icons.ts'
import { formOf, time } from '../../../parts/time.ts'
import { duration } from '../../../parts/timeline.ts'
import type { Stage, State } from './stages.ts'

/** The way of an order as a picture: placed, received, stored, told, shipped, with the time between. */

const icons: Readonly<Record<State, IconName>> = {
  done: 'check',
  slow: 'clock',
  waiting: 'clock',
  failed: 'warning',
  none: 'minus',
}
const words: Readonly<Record<State, string>> = {
  done: 'done',
  slow: 'slow',
  waiting: 'waiting',
  failed: 'failed',
  none: 'does not apply',
}

export const journey = (stages: readonly Stage[]): TemplateResult =>
  html`<ol class="journey" aria-label="The way of the order">
    ${stages.map(
      ({ name, state, at, ms, text }) => html`<li class=${state}>
        ${ms === null ? nothing : html`<span class="between">${ms === 0 ? 'at once' : duration(ms, formOf('en'))}</span>`}
        <span class="dot">${icon(icons[state], 14)}</span>
        <strong>${name}<span class="visually-hidden">: ${words[state]}</span></strong>
        ${at ? html`<span class="muted small">${time(at)}</span>` : nothing}
        ${text ? html`<span class="small said">${text}</span>` : nothing}
      </li>`,
    )}
  </ol>`

export const journeys = css`
  .journey {
    display: grid;
    grid-template-columns: repeat(5, minmax(0, 1fr));
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .journey li {
    position: relative;
    display: grid;
    justify-items: center;
    align-content: start;
    gap: 2px;
    padding: 22px 4px 0;
    text-align: center;
  }
  .journey li + li::before {
    content: '';
    position: absolute;
    inset-block-start: 35px;
    inset-inline: calc(-50% + 18px) calc(50% + 18px);
    height: 2px;
    background: var(--_line-strong);
  }
  .journey .between {
    position: absolute;
    inset-block-start: 0;
    inset-inline: -50% 50%;
    color: var(--_muted);
    font: 400 12px / 16px var(--_font);
  }
  .journey .dot {
    display: grid;
    place-items: center;
    width: 28px;
    height: 28px;
    margin-block-end: 4px;
    border-radius: 99px;
    background: var(--_sunken);
    color: var(--_muted);
  }
  .journey strong {
    font-weight: 500;
  }
  .journey .done .dot {
    background: var(--_positive-soft);
    color: var(--_positive);
  }
  .journey .slow .dot,
  .journey .waiting .dot {
    background: var(--_notice-soft);
    color: var(--_notice);
  }
  .journey .failed .dot {
    background: var(--_critical-soft);
    color: var(--_critical);
  }
  .journey .slow .between,
  .journey .slow .said {
    color: var(--_notice);
  }
  .journey .failed .said {
    color: var(--_critical);
  }
  @media (max-width: 720px) {
    .journey {
      grid-template-columns: minmax(0, 1fr);
      gap: 6px;
    }
    .journey li {
      grid-template-columns: 28px minmax(0, 1fr);
      justify-items: start;
      gap: 0 12px;
      padding: 0;
      text-align: start;
    }
    .journey li > * {
      grid-column: 2;
    }
    .journey .dot {
      grid-column: 1;
      grid-row: 1 / span 3;
    }
    .journey li + li::before {
      content: none;
    }
    .journey .between {
      position: static;
      grid-row: 3;
    }
    .journey .between::before {
      content: 'after ';
    }
  }
`
