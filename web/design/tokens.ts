import { css } from 'lit'

/**
 * The values of DESIGN.md. `light-dark()` follows `color-scheme`, which a page or a single element may set. Embedding pages
 * change what they like by setting the same names on the element.
 */
export const tokens = css`
  :host {
    --_font: var(--ep-font, 'Inter Variable', 'Inter Fallback', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif);
    --_mono: var(--ep-font-mono, ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, monospace);

    --_bg: var(--ep-bg, light-dark(#ffffff, #101114));
    --_surface: var(--ep-surface, light-dark(#ffffff, #17191d));
    --_sunken: var(--ep-sunken, light-dark(#f6f7f9, #0c0d0f));
    --_hover: var(--ep-hover, light-dark(#f1f2f5, #1f2228));
    --_line: var(--ep-line, light-dark(#e3e5ea, #2a2e36));
    --_line-strong: var(--ep-line-strong, light-dark(#868d9b, #757d8c));
    --_text: var(--ep-text, light-dark(#16181d, #eceef2));
    --_muted: var(--ep-muted, light-dark(#5b6271, #a2a9b8));

    --_accent: var(--ep-accent, light-dark(#4346d3, #9a9cff));
    --_on-accent: var(--ep-on-accent, light-dark(#ffffff, #14143a));
    --_accent-soft: var(--ep-accent-soft, light-dark(#eeeffd, #23244a));
    --_positive: var(--ep-positive, light-dark(#136c3a, #6fd79b));
    --_positive-soft: var(--ep-positive-soft, light-dark(#e6f6ec, #12301f));
    --_notice: var(--ep-notice, light-dark(#7d4e00, #f3c064));
    --_notice-soft: var(--ep-notice-soft, light-dark(#fdf2dc, #35270c));
    --_critical: var(--ep-critical, light-dark(#b3261e, #ff9d94));
    --_critical-soft: var(--ep-critical-soft, light-dark(#fdecea, #3c1714));
    --_info: var(--ep-info, light-dark(#1a5fa8, #86bdff));
    --_info-soft: var(--ep-info-soft, light-dark(#e7f1fc, #11273f));

    --_radius: var(--ep-radius, 6px);
    --_radius-card: var(--ep-radius-card, 10px);
    --_shadow: var(--ep-shadow, 0 8px 30px light-dark(#1c20331f, #00000080));
    --_control: var(--ep-control, 32px);
    --_fast: 100ms;
    --_slow: 150ms;
  }

  @media (pointer: coarse) {
    :host {
      --_control: var(--ep-control, 40px);
    }
  }
`

/** What every element of ours begins with. */
export const base = css`
  :host {
    box-sizing: border-box;
    color: var(--_text);
    font: 400 14px / 22px var(--_font);
    -webkit-text-size-adjust: 100%;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  h1,
  h2,
  h3,
  p {
    margin: 0;
  }
  h1 {
    font: 600 20px / 28px var(--_font);
  }
  h2 {
    font: 600 16px / 24px var(--_font);
  }
  h3 {
    font: 600 14px / 22px var(--_font);
  }
  a {
    color: var(--_accent);
    text-underline-offset: 2px;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
    border-radius: var(--_radius);
  }
  code,
  .mono {
    font: 400 12.5px / 20px var(--_mono);
    overflow-wrap: anywhere;
  }
  .muted {
    color: var(--_muted);
  }
  .small {
    font-size: 13px;
    line-height: 20px;
  }
  .number {
    font-variant-numeric: tabular-nums;
    text-align: end;
    white-space: nowrap;
  }
  /* Arrows point to where the reading goes on. */
  .directed:dir(rtl) {
    transform: scaleX(-1);
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
    }
  }
`

/** Bars of our own: those of browsers know nothing of the colours, nor of the dark. */
export const gauges = css`
  progress,
  meter {
    appearance: none;
    display: block;
    width: 100%;
    height: 8px;
    overflow: hidden;
    border: 0;
    border-radius: 99px;
    background: var(--_hover);
    color: var(--_accent);
  }
  progress::-webkit-progress-bar,
  meter::-webkit-meter-bar {
    height: 8px;
    border: 0;
    border-radius: 99px;
    background: var(--_hover);
  }
  meter::-webkit-meter-inner-element {
    display: block;
  }
  progress::-webkit-progress-value,
  meter::-webkit-meter-optimum-value {
    border-radius: 99px;
    background: var(--_accent);
  }
  progress::-moz-progress-bar,
  meter::-moz-meter-bar {
    border-radius: 99px;
    background: var(--_accent);
  }
  meter::-webkit-meter-suboptimum-value,
  meter::-webkit-meter-even-less-good-value {
    border-radius: 99px;
    background: var(--_notice);
  }
`

export const buttons = css`
  button,
  .button {
    appearance: none;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-height: var(--_control);
    padding: 0 12px;
    border: 1px solid var(--_line-strong);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font: 500 14px / 20px var(--_font);
    text-decoration: none;
    white-space: nowrap;
    cursor: pointer;
    transition: background var(--_fast) ease-out;
  }
  button:hover:not(:disabled),
  .button:hover {
    background: var(--_hover);
  }
  button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  button.primary,
  .button.primary {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
  }
  button.primary:hover:not(:disabled),
  .button.primary:hover {
    background: color-mix(in oklab, var(--_accent) 88%, var(--_text));
  }
  button.critical {
    border-color: var(--_critical);
    color: var(--_critical);
  }
  button[aria-pressed='true']:not(.quiet) {
    border-color: var(--_accent);
    background: var(--_accent-soft);
    color: var(--_accent);
  }
  button.quiet {
    border-color: transparent;
    background: transparent;
  }
  button.quiet:hover:not(:disabled) {
    background: var(--_hover);
  }
`

export const fields = css`
  label {
    display: block;
    font: 500 13px / 20px var(--_font);
  }
  input:not([type='checkbox'], [type='radio'], [type='file']),
  select,
  textarea {
    appearance: none;
    display: block;
    width: 100%;
    min-height: var(--_control);
    padding: 5px 10px;
    border: 1px solid var(--_line-strong);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font: 400 14px / 20px var(--_font);
  }
  /* The button in it would make it higher than the fields beside it. */
  input:is([type='date'], [type='datetime-local']) {
    height: var(--_control);
  }
  select {
    padding-inline-end: 28px;
    background-image: linear-gradient(45deg, transparent 50%, var(--_muted) 50%),
      linear-gradient(135deg, var(--_muted) 50%, transparent 50%);
    background-position:
      calc(100% - 15px) 55%,
      calc(100% - 10px) 55%;
    background-size: 5px 5px;
    background-repeat: no-repeat;
  }
  select:dir(rtl) {
    background-position:
      10px 55%,
      15px 55%;
  }
  textarea {
    min-height: 80px;
    resize: vertical;
  }
  input::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  input[type='checkbox'],
  input[type='radio'] {
    width: 16px;
    height: 16px;
    accent-color: var(--_accent);
  }
  [aria-invalid='true'] {
    border-color: var(--_critical) !important;
  }
  .field {
    display: grid;
    gap: 4px;
  }
  .field-error {
    color: var(--_critical);
    font-size: 13px;
    line-height: 20px;
  }
  .field-help {
    color: var(--_muted);
    font-size: 13px;
    line-height: 20px;
  }
`
