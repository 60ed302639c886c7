import { html, nothing, type TemplateResult } from 'lit'
import { copy, copyText } from '../../../parts/copy.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { asApp, ask, Refusal } from '../../api.ts'
import { Page } from '../../page.ts'
import { href } from '../../router.ts'
import { asCurl } from './as-curl.ts'
import { callerOf, statusBadge } from './requests.ts'

type Data = Awaited<ReturnType<typeof read>>
type Call = NonNullable<Data>

/** One call of the API: who, what, and what may be kept of what was said. */
class RequestPage extends Page<Data> {
  override load() {
    return read(this.params)
  }

  override show(call: Data): TemplateResult {
    const { app = '', request = '' } = this.params
    const back = html`<p><a href=${href(`/apps/${app}/requests`)}>Requests</a></p>`
    if (!call) return html`${back}<h1>Request</h1>${this.#missing(request)}`
    return html`${back}
      <div class="bar"><div><h1>${call.method} ${call.path}</h1>${statusBadge(call.status)}</div>
        <button @click=${() => void this.#copyCurl(call)}>${icon('copy')}Copy as cURL</button>
      </div>
      ${call.error ? this.#error(call.error) : nothing}
      <section class="card"><h2>Facts</h2><dl>${this.#facts(app, call).map(([name, value]) =>
        value === null ? nothing : html`<dt>${name}</dt><dd>${value}</dd>`,
      )}</dl></section>
      ${body('What was sent', call.request_body)}${body('What was answered', call.response_body)}
      <p class="muted small">Of texts only those are kept that name records or are words of ours; <code>[text]</code> stands for any other.</p>`
  }

  #missing(id: string): TemplateResult {
    return html`<section class="card stack"><p>There is no request ${copy(id, 'Copy the request’s id')} in the log of this app.</p>
      <p class="muted">It may be a second or two until one shows up. Older ones are gone, of very many in one second some are left out, and what the console only reads is not kept.</p>
      <p><button @click=${() => void this.reload()}>${icon('refresh')}Look again</button></p></section>`
  }

  #error({ kind, fields }: NonNullable<Call['error']>): TemplateResult {
    const refused = Object.entries(fields)
    return html`<div class="notice failed">${icon('warning')}<div>
      <p>${kindWords[kind] ?? kind}</p>
      ${refused.length === 0 ? nothing : html`<dl>${refused.map(([name, words]) => html`<dt><code>${name}</code></dt><dd>${words.join(' ')}</dd>`)}</dl>`}
    </div></div>`
  }

  #facts(app: string, call: Call): [string, unknown][] {
    const { headers, rate } = call
    const shop = call.integration_id
    return [
      ['Request', copy(call.request_id, 'Copy the request’s id')],
      ['When', time(call.at)],
      ['Caller', `${callerOf(call)}, from ${call.address}`],
      ['Route', html`<code>${call.route}</code>`],
      ['Query', call.query === '' ? null : html`<code>${call.query}</code>`],
      ['Shop', shop === null ? null : html`<a href=${href(`/apps/${app}/integrations/${shop}`)}>${shop}</a>`],
      ['Took', `${call.duration_ms.toLocaleString('en')} ms`],
      [
        'Size',
        `${call.request_bytes.toLocaleString('en')} bytes sent, ${call.response_bytes.toLocaleString('en')} answered`,
      ],
      [
        'Limit',
        rate
          ? `${rate.remaining.toLocaleString('en')} of ${rate.limit.toLocaleString('en')} calls were left in this minute`
          : null,
      ],
      ['User-Agent', headers.user_agent],
      ['Content-Type', headers.content_type],
      ['Idempotency-Key', headers.idempotency_key ? 'sent' : null],
    ]
  }

  async #copyCurl(call: Call): Promise<void> {
    await copyText(asCurl(call, location.origin))
    toast('Copied. Set TOKEN to a token of your own before you run it.')
  }
}
define('ep-page-request', RequestPage)

const kindWords: Readonly<Record<string, string>> = {
  forbidden: 'The caller may not do that.',
  not_found: 'There is no such record.',
  malformed: 'The request could not be understood.',
  invalid: 'These fields were refused.',
  conflict: 'Something else was under way, or the key was used for another request.',
  too_large: 'The body was too large.',
  too_many: 'The caller came too often.',
  unavailable: 'The service was busy or its database away.',
  upstream_retryable: 'The shop did not answer, or asked to come back later.',
  upstream_refused: 'The shop said no. Its own words are in the log of the shop.',
}

const body = (title: string, value: unknown): TemplateResult | typeof nothing =>
  value === null || value === undefined
    ? nothing
    : html`<section class="card"><h2>${title}</h2><pre>${JSON.stringify(value, null, 2)}</pre></section>`

/** Null where it is not in the log: that is no error of the page. */
async function read({ app = '', request = '' }: Readonly<Record<string, string>>) {
  try {
    return (await ask(asApp(app).GET('/api/2.0/app/requests/{request}', { params: { path: { request } } }))).data
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}
