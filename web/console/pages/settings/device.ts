import { css, html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { time } from '../../../parts/time.ts'
import { api, ask } from '../../api.ts'
import { field, isGeneral, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { changeQuery } from '../../router.ts'

type Device = Awaited<ReturnType<typeof lookAt>>

const lookAt = async (code: string) => (await ask(api.POST('/console/device/look', { body: { user_code: code } }))).data

const look = css`
  .card {
    max-width: 560px;
  }
  .code {
    font: 600 28px / 36px var(--_mono);
    letter-spacing: 0.08em;
  }
`

/** Where a command line is let in: somebody compares the code, sees who asks, and decides. */
class DevicePage extends Page<Device | null> {
  static override properties = { ...Page.properties, refusal: { state: true }, busy: { state: true } }
  declare refusal: unknown
  declare busy: boolean

  constructor() {
    super()
    this.refusal = null
    this.busy = false
  }

  get #code(): string {
    return this.query.get('code') ?? ''
  }

  /** A code that is no good leaves the form, with what is wrong at its field. */
  override async load(): Promise<Device | null> {
    this.refusal = null
    if (this.#code === '') return null
    try {
      return await lookAt(this.#code)
    } catch (error) {
      if (isGeneral(error)) throw error
      this.refusal = error
      return null
    }
  }

  #submit = (event: SubmitEvent) => {
    event.preventDefault()
    const { user_code: code = '' } = valuesOf(event.target as HTMLFormElement)
    if (code === this.#code) void this.reload()
    else changeQuery({ code }, { replace: true })
  }

  #decide = async (decision: 'approve' | 'deny') => {
    this.busy = true
    try {
      const body = { user_code: this.#code, decision }
      this.data = (await ask(api.POST('/console/device/decide', { body }))).data
    } catch (error) {
      this.refusal = error
    }
    this.busy = false
  }

  override show(device: Device | null): TemplateResult {
    if (!device) return this.#ask()
    if (device.state !== 'pending') return this.#done(device.state)
    const everything = device.scopes.includes('*')
    return html`<h1>Let this program in?</h1>
      <section class="card stack">
        <p>The program shows a code. Go on only if it is this one, and if you have started it yourself:</p>
        <p class="code">${this.#code.toUpperCase()}</p>
        <dl>
          <dt>Program</dt><dd>${device.client}</dd>
          <dt>Asks from</dt><dd>${device.address}${device.agent ? html` <span class="muted">(${device.agent})</span>` : nothing}</dd>
          <dt>Since</dt><dd>${time(device.created_at)}</dd>
          <dt>May</dt><dd>${everything ? 'Everything that you may, in your name' : device.scopes.join(', ')}</dd>
        </dl>
        <p class="muted">It stays signed in for 90 days. You end that under your account, in the list of sessions.</p>
        ${this.refusal ? problem(this.refusal) : nothing}
        <div class="row">
          <button class="primary" ?disabled=${this.busy} @click=${() => this.#decide('approve')}>Let it in</button>
          <button ?disabled=${this.busy} @click=${() => this.#decide('deny')}>Refuse</button>
        </div>
      </section>`
  }

  #ask(): TemplateResult {
    return html`<h1>Connect a command line</h1>
      <section class="card stack">
        <p><code>entrepot login</code> shows a code of eight letters. Type it here; you see who is asking before you decide.</p>
        <form class="stack" @submit=${this.#submit}>
          ${field({ name: 'user_code', label: 'Code', value: this.#code, placeholder: 'BCDF-GHJK', failure: this.refusal, help: 'Valid for ten minutes.' })}
          <div class="row"><button class="primary">Go on</button></div>
        </form>
      </section>`
  }

  #done(state: Device['state']): TemplateResult {
    const words =
      state === 'denied'
        ? html`<h1>Refused</h1><p role="status">The program gets nothing.</p>`
        : html`<h1>It is in</h1><p role="status">Go back to your terminal: the command line continues by itself. You can close this page.</p>`
    return html`<section class="card stack">${words}</section>`
  }

  static override styles = [...Page.styles, look]
}
define('ep-page-device', DevicePage)
