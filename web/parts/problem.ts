import { css, html, nothing } from 'lit'
import { Refusal } from '../lib/ask.ts'
import { icon } from './icons.ts'
import { failureText, type RefusalWords } from './refusal-words.ts'

let linkOf: (requestId: string) => string | null = () => null

/** Where the page around it can show the request, it says where; elements in pages of others cannot. */
export function linkRequests(to: typeof linkOf): void {
  linkOf = to
}

export interface ProblemWords extends RefusalWords {
  retry: string
  request: string
}

/** What went wrong, in words, and what to pass on to whoever helps. `retry` is offered where trying again makes sense. */
export const problem = (error: unknown, options: { retry?: () => void; words?: ProblemWords } = {}) => {
  const { retry = 'Try again', request = 'Request' } = options.words ?? {}
  const id = error instanceof Refusal ? error.requestId : null
  const link = id === null ? null : linkOf(id)
  return html`<div class="problem" role="alert" part="problem">
    ${icon('warning')}
    <div>
      <p>${failureText(error, options.words)}</p>
      ${id ? html`<p class="muted small">${request} ${link ? html`<a href=${link}><code>${id}</code></a>` : html`<code>${id}</code>`}</p>` : nothing}
    </div>
    ${options.retry ? html`<button @click=${options.retry}>${icon('refresh')}${retry}</button>` : nothing}
  </div>`
}

export const problems = css`
  .problem {
    display: flex;
    align-items: flex-start;
    gap: 10px;
    padding: 12px 16px;
    border: 1px solid var(--_critical);
    border-radius: var(--_radius-card);
    background: var(--_critical-soft);
    color: var(--_text);
  }
  .problem > svg {
    flex: none;
    margin-top: 3px;
    color: var(--_critical);
  }
  .problem > div {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
`
