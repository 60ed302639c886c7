import { html, nothing, type SVGTemplateResult, svg } from 'lit'

/** Drawn on a grid of 16, in lines of the text's own colour. They accompany words and are hidden from screen readers. */
const shapes = {
  check: svg`<path d="m3.5 8.5 3 3 6-7" />`,
  cross: svg`<path d="m4 4 8 8m0-8-8 8" />`,
  warning: svg`<path d="M8 2.5 14 13H2zM8 6.5v3M8 11.3v.2" />`,
  clock: svg`<circle cx="8" cy="8" r="5.7" /><path d="M8 4.8V8l2.2 1.6" />`,
  pause: svg`<path d="M6 4v8m4-8v8" />`,
  play: svg`<path d="M5.5 3.8v8.4L12 8z" />`,
  plus: svg`<path d="M8 3.5v9M3.5 8h9" />`,
  minus: svg`<path d="M3.5 8h9" />`,
  copy: svg`<rect x="5.5" y="5.5" width="7" height="7.5" rx="1.2" /><path d="M3.5 10.5V4.2c0-.7.5-1.2 1.2-1.2h5.8" />`,
  search: svg`<circle cx="7" cy="7" r="4.2" /><path d="m10.2 10.2 3.3 3.3" />`,
  chevron: svg`<path d="m6 3.5 4.5 4.5L6 12.5" />`,
  down: svg`<path d="m3.5 6 4.5 4.5L12.5 6" />`,
  back: svg`<path d="m10 3.5-4.5 4.5 4.5 4.5" />`,
  refresh: svg`<path d="M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.6h-2.6" />`,
  external: svg`<path d="M9 3h4v4M13 3 7.5 8.5M11.5 9.5V13h-8.5V4.5H7" />`,
  plug: svg`<path d="M5.5 2.5v3m5-3v3M3.5 5.5h9V8a4.5 4.5 0 0 1-9 0zM8 12.5V14" />`,
  box: svg`<path d="M2.5 5 8 2.5 13.5 5v6L8 13.5 2.5 11zM2.5 5 8 7.5 13.5 5M8 7.5v6" />`,
  parcel: svg`<path d="M2.5 4.5h11v8h-11zM2.5 7h11M6.5 4.5V7h3V4.5" />`,
  cart: svg`<path d="M2 3h1.8l1.4 7h6.8l1.3-5H4.3" /><circle cx="6" cy="12.8" r=".8" /><circle cx="11" cy="12.8" r=".8" />`,
  bell: svg`<path d="M4 11V7.5a4 4 0 0 1 8 0V11l1 1.2H3zM6.8 13.8h2.4" />`,
  list: svg`<path d="M5.5 4h8m-8 4h8m-8 4h8M2.5 4h.2m-.2 4h.2m-.2 4h.2" />`,
  home: svg`<path d="M2.5 7.5 8 3l5.5 4.5M4 6.8V13h8V6.8" />`,
  users: svg`<circle cx="6" cy="5.5" r="2.3" /><path d="M2 13c.3-2.7 1.8-4 4-4s3.7 1.3 4 4M10.5 3.5a2.3 2.3 0 0 1 0 4.2M11.8 9.3c1.3.5 2 1.7 2.2 3.7" />`,
  user: svg`<circle cx="8" cy="5.5" r="2.5" /><path d="M3.5 13.5c.3-3 2-4.5 4.5-4.5s4.2 1.5 4.5 4.5" />`,
  key: svg`<circle cx="5.5" cy="10.5" r="2.8" /><path d="m7.5 8.5 5-5M10.5 5.5l1.8 1.8" />`,
  grid: svg`<path d="M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z" />`,
  calendar: svg`<rect x="2.5" y="3.5" width="11" height="10" rx="1.2" /><path d="M2.5 6.5h11M5.5 2v3m5-3v3" />`,
  pulse: svg`<path d="M1.5 8.5h3l2-5 3 9 2-4h3" />`,
  book: svg`<path d="M3 3h4c.6 0 1 .4 1 1v9.5c0-.8-.6-1.3-1.3-1.3H3zM13 3H9c-.6 0-1 .4-1 1v9.5c0-.8.6-1.3 1.3-1.3H13z" />`,
  exit: svg`<path d="M6.5 3H3v10h3.5M10 5l3 3-3 3M13 8H6.5" />`,
  menu: svg`<path d="M2.5 4.5h11m-11 3.5h11m-11 3.5h11" />`,
  moon: svg`<path d="M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z" />`,
  upload: svg`<path d="M8 10.5V3.5M5 6l3-3 3 3M3 10.5V13h10v-2.5" />`,
  trash: svg`<path d="M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5" />`,
  flow: svg`<circle cx="4" cy="4" r="1.7" /><circle cx="12" cy="12" r="1.7" /><path d="M5.7 4H9a2 2 0 0 1 2 2v4.3" />`,
} satisfies Record<string, SVGTemplateResult>

export type IconName = keyof typeof shapes

/** Those that say where the text goes on, and turn around with it. */
const directed: readonly IconName[] = ['chevron', 'back', 'exit', 'list']

export const icon = (name: IconName, size = 16) =>
  html`<svg
    class=${directed.includes(name) ? 'directed' : nothing}
    aria-hidden="true"
    width=${size}
    height=${size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    ${shapes[name]}
  </svg>`
