import { html, nothing, type TemplateResult } from 'lit'
import { define, emit } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { Entrance } from '../../entrance.ts'
import { errorOf } from '../../form.ts'
import { href } from '../../router.ts'
import { passkeysWork, signInByPasskey } from '../../second-factor/passkeys.ts'
import { signIn, signInElsewhere } from '../../session.ts'
import './second-step.ts'
import type { Step } from './second-step.ts'

class SignIn extends Entrance {
  static override properties = { ...Entrance.properties, step: { state: true }, again: { type: Boolean } }
  declare step: Step | null
  /** Somebody was signed in, and goes on where they were. */
  declare again: boolean
  override readonly pageTitle = 'Sign in'

  constructor() {
    super()
    this.step = null
    this.again = false
  }

  #submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    void this.attempt(async () => {
      this.step = await signIn(String(form.get('email')), String(form.get('password')))
      if (!this.step) emit(this, 'signed-in', null)
    })
  }

  #byPasskey = () =>
    this.attempt(async () => {
      await signInByPasskey(null)
      emit(this, 'signed-in', null)
    })

  /** The address is all that it takes: what is left of the form is not looked at. */
  #elsewhere = () => {
    const email = this.renderRoot.querySelector<HTMLInputElement>('#email')
    if (!email?.reportValidity()) return
    void this.attempt(() => signInElsewhere(email.value))
  }

  #back = () => {
    this.step = null
  }

  override render(): TemplateResult {
    if (!this.step) return super.render()
    return html`<ep-second-step .step=${this.step} @back=${this.#back}></ep-second-step>`
  }

  override content(): TemplateResult {
    const wrong = errorOf(this.failure, 'email') ?? errorOf(this.failure, 'single_sign_on')
    return html`<form @submit=${this.#submit} aria-labelledby="title">
        <h1 id="title">Sign in to Entrepot</h1>
        ${this.again ? html`<p role="status">Your session has ended. Sign in to go on where you were; what you have typed is still there.</p>` : nothing}
        ${this.failure && !wrong ? problem(this.failure) : nothing}
        <div class="field">
          <label for="email">Email</label>
          <input id="email" name="email" type="email" autocomplete="username" required autofocus
            aria-invalid=${wrong ? 'true' : 'false'} aria-describedby="wrong" />
          <span class="field-error" id="wrong" role="alert">${wrong ?? nothing}</span>
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required />
        </div>
        <button class="primary" ?disabled=${this.busy}>${this.busy ? 'Signing in…' : 'Sign in'}</button>
      </form>
      <button ?disabled=${this.busy} @click=${this.#elsewhere}>Use single sign-on</button>
      ${passkeysWork() ? html`<button ?disabled=${this.busy} @click=${this.#byPasskey}>Sign in with a passkey</button>` : nothing}
      <p class="small"><a href=${href('/forgotten-password')}>Forgotten your password?</a></p>
      <p class="muted small">After the first start, the terminal shows the login or the file it is in.</p>`
  }
}
define('ep-sign-in', SignIn)
