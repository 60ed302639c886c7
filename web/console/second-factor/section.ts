import { html, nothing, type TemplateResult } from 'lit'
import '../../parts/dialog.ts'
import { define } from '../../parts/element.ts'
import { problem } from '../../parts/problem.ts'
import { badge } from '../../parts/status.ts'
import { time } from '../../parts/time.ts'
import { toast } from '../../parts/toast.ts'
import { api, ask } from '../api.ts'
import { formDialog, secretDialog } from '../ask-form.ts'
import { errorOf, field, valuesOf } from '../form.ts'
import { Page } from '../page.ts'
import { codeField, enrolment, enrolmentLook, recoveryCodes } from './enrolment.ts'
import './passkey-list.ts'

type Data = Awaited<ReturnType<typeof read>>
type Asking = 'password' | 'code' | 'renew' | 'remove' | null

/** What one proves beside the password when signing in; a section of the page of the account. */
class SecondFactor extends Page<Data> {
  static override properties = {
    ...Page.properties,
    asking: { state: true },
    begun: { state: true },
    codes: { state: true },
    refusal: { state: true },
  }
  declare asking: Asking
  declare begun: { secret: string; uri: string } | null
  declare codes: readonly string[]
  declare refusal: unknown

  constructor() {
    super()
    this.asking = null
    this.begun = null
    this.codes = []
    this.refusal = null
  }

  override load() {
    return read()
  }

  async #act(work: () => Promise<unknown>) {
    this.refusal = null
    try {
      await work()
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  #open = (asking: Asking) => () => {
    this.refusal = null
    this.asking = asking
  }

  #begin = (form: HTMLFormElement) =>
    this.#act(async () => {
      const { data } = await ask(api.POST('/api/2.0/user/second-factor/totp', { body: passwordIn(form) }))
      this.begun = data
      this.asking = 'code'
    })

  #confirm = (form: HTMLFormElement) =>
    this.#act(async () => {
      const { code = '' } = valuesOf(form)
      const { data } = await ask(api.POST('/api/2.0/user/second-factor/totp/confirm', { body: { code } }))
      this.codes = data.recovery_codes
      this.asking = null
      this.begun = null
    })

  #renew = (form: HTMLFormElement) =>
    this.#act(async () => {
      const { data } = await ask(api.POST('/api/2.0/user/second-factor/recovery-codes', { body: bothIn(form) }))
      this.codes = data.recovery_codes
      this.asking = null
    })

  #remove = (form: HTMLFormElement) =>
    this.#act(async () => {
      await ask(api.POST('/api/2.0/user/second-factor/remove', { body: bothIn(form) }))
      this.asking = null
      toast('Signing in takes the password alone now.')
    })

  override show(data: Data): TemplateResult {
    return html`<h2>Second factor</h2>
      ${this.refusal && this.asking === null ? problem(this.refusal) : nothing}
      <section class="card stack">${data.totp_since ? this.#there(data, data.totp_since) : this.#missing(data)}</section>
      <ep-passkey-list .params=${this.params} .query=${this.query} .me=${this.me} @passkeys-changed=${() => void this.reload()}></ep-passkey-list>
      ${this.#dialogs()}`
  }

  #missing({ required, passkeys }: Data): TemplateResult {
    const why = required
      ? 'Your company requires one from everybody.'
      : 'Someone who learns your password still cannot sign in.'
    return html`<div class="bar"><h3>Authenticator app</h3>${badge(required && passkeys === 0 ? 'critical' : 'neutral', 'Not set up')}</div>
      <p>Signing in then also asks for a code from your phone. ${why}</p>
      <div class="row"><button class="primary" @click=${this.#open('password')}>Set up</button></div>`
  }

  #there({ recovery_codes_left: left, required, passkeys }: Data, since: string): TemplateResult {
    const isLast = required && passkeys === 0
    return html`<div class="bar"><h3>Authenticator app</h3>${badge('positive', 'In use')}</div>
      <dl>
        <dt>Set up</dt><dd>${time(since)}</dd>
        <dt>Recovery codes left</dt><dd>${left} of 10</dd>
      </dl>
      ${isLast ? html`<p class="muted">Your company asks everybody for a second factor, so it cannot be removed.</p>` : nothing}
      <div class="row">
        <button @click=${this.#open('renew')}>New recovery codes</button>
        ${isLast ? nothing : html`<button @click=${this.#open('remove')}>Remove</button>`}
      </div>`
  }

  #dialogs(): TemplateResult {
    const close = this.#open(null)
    const { refusal: failure, asking } = this
    const current = field({
      name: 'current_password',
      label: 'Your password',
      type: 'password',
      autocomplete: 'current-password',
      failure,
    })
    const common = { failure, onClose: close }
    const general = errorOf(failure, 'second_factor')
    const both = html`${general ? html`<p class="field-error" role="alert">${general}</p>` : nothing}${current}
      ${codeField(failure, 'From your authenticator app, or a recovery code.')}`
    if (asking === 'password') {
      return formDialog({
        ...common,
        heading: 'Set up an authenticator app',
        open: true,
        fields: html`${current}`,
        action: 'Go on',
        onSubmit: this.#begin,
      })
    }
    if (asking === 'code' && this.begun) {
      const fields = html`${enrolment(this.begun)}${codeField(failure)}`
      return formDialog({
        ...common,
        heading: 'Set up an authenticator app',
        open: true,
        fields,
        action: 'Confirm',
        onSubmit: this.#confirm,
      })
    }
    if (asking === 'renew') {
      const fields = html`<p>The codes that you have now open nothing any more.</p>${both}`
      return formDialog({
        ...common,
        heading: 'New recovery codes',
        open: true,
        fields,
        action: 'Make new codes',
        onSubmit: this.#renew,
      })
    }
    if (asking === 'remove') {
      return formDialog({
        ...common,
        heading: 'Remove the second factor',
        open: true,
        fields: both,
        action: 'Remove',
        onSubmit: this.#remove,
      })
    }
    return secretDialog('Recovery codes', recoveryCodes(this.codes), this.codes.length > 0, () => {
      this.codes = []
    })
  }

  static override styles = [...Page.styles, ...enrolmentLook]
}
define('ep-second-factor', SecondFactor)

async function read() {
  return (await ask(api.GET('/api/2.0/user/second-factor'))).data
}

/** As it is: spaces belong to a password. */
const passwordIn = (form: HTMLFormElement) => ({
  current_password: String(new FormData(form).get('current_password') ?? ''),
})

const bothIn = (form: HTMLFormElement) => ({ ...passwordIn(form), code: valuesOf(form)['code'] ?? '' })
