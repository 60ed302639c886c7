import { css } from 'lit'

/** Description, record and result side by side. */
export const studioStyles = css`
  .work {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 16px;
  }
  textarea,
  .work pre {
    box-sizing: border-box;
    width: 100%;
    height: 480px;
    overflow: auto;
    white-space: pre;
    font: 400 12.5px / 19px var(--_mono);
  }
  textarea {
    resize: vertical;
  }
  .file {
    position: absolute;
    width: 1px;
    height: 1px;
    opacity: 0;
  }
  label.button:focus-within {
    outline: 2px solid var(--_accent);
  }
  ul,
  ol {
    display: grid;
    gap: 8px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .mistakes li {
    display: grid;
    gap: 2px;
    padding-inline-start: 8px;
    border-inline-start: 2px solid var(--_critical);
    overflow-wrap: anywhere;
  }
  .mistakes button {
    justify-self: start;
  }
  .fields dd {
    display: grid;
    gap: 0;
  }
  .fields code {
    color: var(--_muted);
    font-size: 12px;
  }
  .fields .none span {
    color: var(--_muted);
  }
  .suggestions {
    grid-template-columns: repeat(auto-fill, minmax(min(320px, 100%), 1fr));
  }
  .suggestions li {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0 8px;
    align-items: center;
    overflow-wrap: anywhere;
  }
  .suggestions button {
    grid-area: 1 / 2 / span 2;
  }
  .steps li {
    display: flex;
    gap: 10px;
    align-items: baseline;
    overflow-wrap: anywhere;
  }
  .differences li {
    display: grid;
    gap: 2px;
    padding-inline-start: 8px;
    border-inline-start: 2px solid var(--_line);
    overflow-wrap: anywhere;
  }
  .steps li > span:last-child {
    min-width: 0;
  }
  @media (max-width: 1000px) {
    .work {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`
