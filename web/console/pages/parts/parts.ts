import { css, html, type TemplateResult } from 'lit'
import { gauges } from '../../../design/tokens.ts'
import { define } from '../../../parts/element.ts'
import { timelines } from '../../../parts/timeline.ts'
import { Page } from '../../page.ts'
import { allParts, type Trying } from './all-parts.ts'
import { partNames } from './part-names.ts'

/** Every part there is, in light and dark beside each other: for whoever builds pages, and in no program that is shipped. */
class Parts extends Page<{ open: boolean }> {
  static override properties = { ...Page.properties, asking: { state: true }, chosen: { state: true } }
  declare asking: string | null
  declare chosen: ReadonlySet<number>

  constructor() {
    super()
    this.asking = null
    this.chosen = new Set([1])
  }

  override async load() {
    return { open: true }
  }

  override show(): TemplateResult {
    const trying: Trying = {
      asking: this.asking,
      chosen: this.chosen,
      change: (state) => Object.assign(this, state),
    }
    return html`<h1>Parts</h1>
      <p class="muted">What pages and elements are built of. The page is there in development only.</p>
      ${partNames.map(
        (name) => html`<section id=${name} class="part stack"><h2>${name}</h2>
          <div class="schemes">${['light', 'dark'].map(
            (scheme) =>
              html`<div class="scheme ${scheme} stack" role="group" aria-label="${name}, ${scheme}">${allParts[name](scheme, trying)}</div>`,
          )}</div></section>`,
      )}`
  }

  static override styles = [
    ...Page.styles,
    gauges,
    timelines,
    css`
      .schemes {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr));
        gap: 16px;
      }
      .scheme {
        padding: 16px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius-card);
        background: var(--_surface);
        color: var(--_text);
      }
      #menu .scheme {
        min-height: 128px;
      }
      .light {
        color-scheme: light;
      }
      .dark {
        color-scheme: dark;
      }
      .colours {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(96px, 1fr));
        gap: 8px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .swatch {
        display: block;
        height: 24px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
      }
      .swatch.of-accent { background: var(--_accent); }
      .swatch.of-positive { background: var(--_positive); }
      .swatch.of-notice { background: var(--_notice); }
      .swatch.of-critical { background: var(--_critical); }
      .swatch.of-info { background: var(--_info); }
      .swatch.of-text { background: var(--_text); }
      .swatch.of-muted { background: var(--_muted); }
      .swatch.of-line { background: var(--_line); }
      .swatch.of-surface { background: var(--_surface); }
      .swatch.of-sunken { background: var(--_sunken); }
      .swatch.of-hover { background: var(--_hover); }
      .size-0 { font: 400 12px / 16px var(--_font); }
      .size-1 { font: 400 13px / 20px var(--_font); }
      .size-2 { font: 400 14px / 22px var(--_font); }
      .size-3 { font: 400 16px / 24px var(--_font); }
      .size-4 { font: 600 20px / 28px var(--_font); }
      .size-5 { font: 600 28px / 36px var(--_font); }
    `,
  ]
}
define('ep-page-parts', Parts)
