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
    padding: 16px 12px;
    overflow-y: auto;
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
  nav {
    flex: 1;
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
  .foot {
    display: grid;
    gap: 1px;
    padding-top: 8px;
    border-top: 1px solid var(--_line);
  }
  .foot button {
    border: 0;
    justify-content: flex-start;
    gap: 10px;
    padding: 0 8px;
    font-weight: 400;
  }
  .foot span {
    min-width: 0;
    overflow-wrap: anywhere;
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
`
