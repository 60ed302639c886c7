import { css, html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { badge } from '../../../parts/status.ts'
import { api, ask } from '../../api.ts'
import { Page } from '../../page.ts'

type Data = Awaited<ReturnType<typeof read>>
type Service = Data['data'][number]

/** Every platform that can be connected, and what can be done with it. */
class Catalogue extends Page<Data> {
  override load() {
    return read()
  }

  override show({ data }: Data): TemplateResult {
    return html`<h1>Catalogue</h1>
      <p class="muted">${data.length} services. What each of them can do.</p>
      <ul>${data.toSorted((a, b) => a.name.localeCompare(b.name, 'en')).map((service) => this.#card(service))}</ul>`
  }

  #card({ name, type, description, logo, capabilities, auth_type: auth, active }: Service): TemplateResult {
    const { actions, webhooks } = capabilities
    return html`<li class="card">
      <div class="row">
        ${logo ? html`<img src=${logo} alt="" width="32" height="32" />` : html`<span class="letter" aria-hidden="true">${name.charAt(0)}</span>`}
        <div><h2>${name}</h2><code>${type}</code></div>
        ${active ? nothing : badge('neutral', 'Switched off')}
      </div>
      ${description ? html`<p class="small">${description}</p>` : nothing}
      <dl class="small">
        <dt>Opened by</dt><dd>${doors[auth] ?? auth}</dd>
        <dt>Actions</dt><dd>${folded(actions, 'action', 'None')}</dd>
        <dt>Webhooks</dt><dd>${folded(webhooks, 'topic', 'None. Entrepot checks the shop every few minutes.')}</dd>
      </dl>
    </li>`
  }

  static override styles = [
    ...Page.styles,
    css`
      ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(360px, 100%), 1fr));
        gap: 16px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        align-content: start;
        gap: 10px;
      }
      .letter {
        display: grid;
        place-items: center;
        width: 32px;
        height: 32px;
        border-radius: var(--_radius);
        background: var(--_accent-soft);
        color: var(--_accent);
        font-weight: 600;
      }
    `,
  ]
}
define('ep-page-catalogue', Catalogue)

const doors: Readonly<Record<string, string>> = { oauth2: 'The merchant, in the browser (OAuth 2)', api_key: 'Keys' }

/** Names as the API takes them: many, and of use to whoever writes software. */
const folded = (names: readonly string[], one: string, none: string) =>
  names.length === 0
    ? none
    : html`<details><summary>${names.length} ${names.length === 1 ? one : `${one}s`}</summary>
        ${names.map((name, n) => html`${n === 0 ? nothing : ', '}<code>${name}</code>`)}</details>`

const read = () => ask(api.GET('/api/1.0/services', { params: { query: { per_page: 100, sort: 'name' } } }))
