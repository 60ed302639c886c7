import { css } from 'lit'

/** A list whose entries are cards. */
export const cardLists = css`
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li.card {
    display: grid;
    gap: 12px;
  }
`
