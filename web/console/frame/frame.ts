import { css } from 'lit'

/** The look of the frame: a bar at the side, which is a menu on narrow screens, and the page beside it. */
export const frame = css`
  :host {
    display: grid;
    grid-template-columns: 232px minmax(0, 1fr);
    min-height: 100dvh;
  }
  .entrance {
    width: 100vw;
    max-width: none;
    height: 100dvh;
    max-height: none;
    padding: 0;
    border: 0;
    background: var(--_sunken);
    color: var(--_text);
  }
  .skip {
    position: absolute;
    inset-inline-start: -999px;
  }
  .skip:focus {
    inset: 8px auto auto 8px;
    z-index: 30;
  }
  .top {
    display: none;
  }
  .side {
    border-inline-end: 1px solid var(--_line);
    background: var(--_surface);
  }
  /* The bar is as long as the page; what stands in it stays in sight. */
  .inside {
    position: sticky;
    top: 0;
    display: flex;
    flex-direction: column;
    gap: 12px;
    height: 100dvh;
    padding: 16px 12px 8px;
  }
  .brand {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 0 8px;
    font: 600 16px / 24px var(--_font);
  }
  .side .find {
    justify-content: flex-start;
    color: var(--_muted);
    font-weight: 400;
  }
  .side .find span {
    flex: 1;
    text-align: start;
  }
  kbd {
    font: 400 12px / 16px var(--_font);
  }
  .top .find {
    margin-inline-start: auto;
  }
  /* The rooms scroll under what is always in sight: who is here, and the way out. */
  nav {
    /* What only screen readers are told stays inside, instead of making the page longer. */
    position: relative;
    flex: 1;
    min-height: 96px;
    margin: -8px -12px;
    padding: 8px 12px;
    overflow-y: auto;
    /* What is scrolled away fades out instead of being cut through. */
    mask-image: linear-gradient(transparent, #000 8px calc(100% - 8px), transparent);
  }
  nav h2 {
    margin: 16px 8px 4px;
    color: var(--_muted);
    font: 500 12px / 16px var(--_font);
  }
  ul {
    display: grid;
    gap: 1px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li a,
  .foot a {
    display: flex;
    align-items: center;
    gap: 10px;
    min-height: 32px;
    padding: 0 8px;
    border-radius: var(--_radius);
    color: var(--_text);
    text-decoration: none;
  }
  li a svg,
  .foot svg {
    flex: none;
    color: var(--_muted);
  }
  li a:hover,
  .foot a:hover {
    background: var(--_hover);
  }
  li a[aria-current],
  .foot a[aria-current] {
    background: var(--_accent-soft);
    color: var(--_accent);
    font-weight: 500;
    box-shadow: inset 3px 0 0 var(--_accent);
  }
  li a[aria-current] svg,
  .foot a[aria-current] svg,
  .foot a[aria-current] .muted {
    color: inherit;
  }
  .switch {
    display: grid;
    gap: 2px;
    margin: 4px 0 0;
  }
  /* An address of a usual length is not cut: it has a line to itself. */
  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 1px;
    padding-top: 8px;
    border-top: 1px solid var(--_line);
  }
  .foot a {
    flex: 1 0 100%;
    min-width: 0;
    min-height: 44px;
  }
  .foot a > span,
  .foot a span span {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .foot a > span,
  .foot a span span {
    display: block;
  }
  .foot button {
    min-width: 32px;
    padding: 0 8px;
  }
  .foot button[aria-pressed='true'] {
    background: var(--_accent-soft);
  }
  .foot button[aria-pressed='true'] svg {
    color: var(--_accent);
  }
  main {
    display: grid;
    gap: 16px;
    align-content: start;
    width: 100%;
    max-width: 1264px;
    margin: 0 auto;
    padding: 24px 32px 48px;
    min-width: 0;
  }
  /* Where the keyboard begins after a link; whoever reads sees that by the page itself. */
  main:focus-visible {
    outline: none;
  }
  main.alone {
    grid-column: 1 / -1;
    padding-top: 20dvh;
  }
  @media (max-width: 860px) {
    :host {
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: auto 1fr;
    }
    .top {
      position: sticky;
      top: 0;
      z-index: 10;
      display: flex;
      align-items: center;
      gap: 4px;
      padding: 6px 8px;
      border-bottom: 1px solid var(--_line);
      background: var(--_surface);
    }
    .side {
      display: none;
      position: fixed;
      inset: calc(var(--_control) + 13px) 0 0;
      z-index: 9;
    }
    .inside {
      height: 100%;
    }
    .side .brand {
      display: none;
    }
    .side.open {
      display: block;
    }
    main {
      padding: 16px 16px 40px;
    }
  }
  @media print {
    :host {
      display: block;
    }
    .side,
    .top,
    .skip {
      display: none;
    }
    main {
      padding: 0;
    }
  }
`
