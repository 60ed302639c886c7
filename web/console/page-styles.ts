import { css } from 'lit'

/** What pages of the console have in common: how what stands on them is set out. */
export const pageStyles = css`
  :host {
    display: grid;
    gap: 16px;
    align-content: start;
    min-width: 0;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 8px 16px;
  }
  .bar > div,
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  /* Many fields to search by: in columns, each below its name. */
  form.filters {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(200px, 100%), 1fr));
    align-items: end;
    gap: 8px 12px;
  }
  form.filters label {
    display: grid;
    gap: 4px;
    min-width: 0;
  }
  form.filters input,
  form.filters select {
    width: 100%;
    min-width: 0;
  }
  form.filters button {
    justify-self: start;
  }
  /* A few: side by side, as wide as each other. */
  .row.filters {
    align-items: end;
    gap: 8px 12px;
  }
  .row.filters > label {
    display: grid;
    gap: 4px;
  }
  .row.filters > ep-combobox {
    gap: 4px;
  }
  .row.filters > :not(form),
  .row.filters > label > :is(input, select) {
    width: 216px;
  }
  .row.filters > form {
    flex-wrap: nowrap;
  }
  .bar select {
    width: auto;
    max-width: 100%;
  }
  .bar > *,
  .row > * {
    min-width: 0;
    max-width: 100%;
  }
  h1,
  h2,
  p {
    overflow-wrap: anywhere;
  }
  .card {
    min-width: 0;
    padding: 16px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-card);
    background: var(--_surface);
  }
  .card:not(.stack) > h2 + * {
    margin-top: 12px;
  }
  .stack {
    display: grid;
    align-content: start;
    gap: 16px;
    min-width: 0;
  }
  .narrow > * {
    max-width: 640px;
  }
  .columns {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
    gap: 16px;
  }
  dl {
    display: grid;
    grid-template-columns: minmax(110px, max-content) 1fr;
    gap: 6px 16px;
    margin: 0;
  }
  dt {
    color: var(--_muted);
  }
  dd {
    margin: 0;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  pre {
    margin: 0;
    padding: 12px;
    border-radius: var(--_radius);
    background: var(--_sunken);
    font: 400 12.5px / 19px var(--_mono);
    overflow-x: auto;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }
  .choices {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(190px, 1fr));
    gap: 4px 12px;
    margin-top: 8px;
  }
  .choices label {
    font-weight: 400;
  }
  label.row {
    width: auto;
  }
  label.row select {
    width: auto;
    max-width: 420px;
  }
  form[role='search']:not(.filters) input {
    width: 240px;
  }
  @media (max-width: 720px) {
    label.row:has(select) {
      display: grid;
      gap: 4px;
      width: 100%;
    }
    label.row select {
      width: 100%;
      max-width: none;
    }
    /* Two beside each other, so that what was looked for is not a screen away. */
    form.filters,
    .row.filters {
      display: grid;
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .row.filters > :not(form),
    .row.filters > label > :is(input, select) {
      width: auto;
    }
    .row.filters > form {
      grid-column: 1 / -1;
    }
    form[role='search']:not(.filters) input {
      flex: 1;
    }
  }
  .notice:not(.badge) {
    display: flex;
    gap: 10px;
    padding: 10px 14px;
    border: 1px solid var(--_notice);
    border-radius: var(--_radius-card);
    background: var(--_notice-soft);
  }
  .notice.failed:not(.badge) {
    border-color: var(--_critical);
    background: var(--_critical-soft);
  }
  .notice:not(.badge) svg {
    flex: none;
    margin-top: 3px;
  }
  .skeleton {
    display: grid;
    gap: 12px;
  }
  .skeleton span {
    height: 44px;
    border-radius: var(--_radius);
    background: var(--_hover);
  }
`
