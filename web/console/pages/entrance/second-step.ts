import { html, nothing, type TemplateResult } from 'lit'
import { define, emit } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { api, ask } from '../../api.ts'
import { Entrance } from '../../entrance.ts'
import { errorOf, isGeneral, valuesOf } from '../../form.ts'
import { codeField, enrolment, enrolmentLook, recoveryCodes } from '../../second-factor/enrolment.ts'
import { passkeysWork, signInByPasskey } from '../../second-factor/passkeys.ts'

export interface Step {
  ticket: string
  next: 'code' | 'enrolment'
  /** Whether one of them does in the place of a code. */
  passkey: boolean
}

/** The password was right: what comes after it. */
class SecondStep extends Entrance {
  static override properties = {
    ...Entrance.properties,
    step: { attribute: false },
    enrolment: { state: true },
    codes: { state: true },
  }
  declare step: Step
  declare enrolment: { secret: string; uri: string } | null
  declare codes: readonly string[]
  override readonly pageTitle = 'Sign in'

  constructor() {
    super()
    this.enrolment = null
    this.codes = []
  }

  override firstUpdated() {
    if (this.step.next === 'enrolment') {
      void this.attempt(async () => {
        const { ticket } = this.step
        this.enrolment = (await ask(api.POST('/console/session/enrolment', { body: { ticket } }))).data
      })
    }
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    const isReady = changed.has('step') || changed.has('enrolment') || changed.has('failure')
    if (isReady) this.renderRoot.querySelector<HTMLElement>('input')?.focus()
  }

  #submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (this.codes.length > 0) return void emit(this, 'signed-in', null)
    const { code = '' } = valuesOf(event.target as HTMLFormElement)
    void this.attempt(async () => {
      const { ticket } = this.step
      const answer = await ask(api.POST('/console/session/second-step', { body: { ticket, code } }))
      // An answer without a body: there is nothing to be shown first.
      if (answer) this.codes = answer.data.recovery_codes
      else emit(this, 'signed-in', null)
    })
  }

  #passkeyButton = () =>
    html`<button type="button" ?disabled=${this.busy} @click=${() =>
      this.attempt(async () => {
        await signInByPasskey(this.step.ticket)
        emit(this, 'signed-in', null)
      })}>Use a passkey</button>`

  override content(): TemplateResult {
    return html`<form @submit=${this.#submit} aria-labelledby="title">${this.#fields()}</form>`
  }

  #fields(): TemplateResult {
    if (this.codes.length > 0) {
      return html`<h1 id="title">Recovery codes</h1>${recoveryCodes(this.codes)}
        <button class="primary">I have kept them</button>`
    }
    const late = errorOf(this.failure, 'ticket') ?? errorOf(this.failure, 'passkey')
    const failed = late
      ? html`<p class="field-error" role="alert">${late}</p>`
      : isGeneral(this.failure)
        ? problem(this.failure)
        : nothing
    const back = html`<button type="button" class="quiet" @click=${() => emit(this, 'back', null)}>Sign in as somebody else</button>`
    if (this.step.next === 'enrolment' && !this.enrolment) {
      return html`<h1 id="title">Set up a second factor</h1>${this.failure ? failed : html`<p role="status">One moment…</p>`}${back}`
    }
    const ask = this.enrolment
      ? html`<h1 id="title">Set up a second factor</h1><p>Your company asks everybody for one.</p>${enrolment(this.enrolment)}`
      : html`<h1 id="title">Second factor</h1>`
    const help = this.enrolment ? undefined : 'From your authenticator app, or a recovery code.'
    const isOffered = this.step.passkey && passkeysWork()
    return html`${ask}${failed}${isOffered ? this.#passkeyButton() : nothing}${codeField(this.failure, help)}
      <button class="primary" ?disabled=${this.busy}>Sign in</button>${back}`
  }

  static override styles = [...Entrance.styles, ...enrolmentLook]
}
define('ep-second-step', SecondStep)
