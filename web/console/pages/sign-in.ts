import { css, html, nothing, type TemplateResult } from 'lit'
import { buttons, fields } from '../../design/tokens.ts'
import { define, Element, emit } from '../../parts/element.ts'
import { problem, problems } from '../../parts/problem.ts'
import { Refusal } from '../api.ts'
import iconUrl from '../icon.svg'
import { signIn } from '../session.ts'

class SignIn extends Element {
  static override properties = { failure: { state: true }, busy: { state: true } }
  declare failure: unknown
  declare busy: boolean

  constructor() {
    super()
    this.failure = null
    this.busy = false
  }

  #submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    this.busy = true
    this.failure = null
    try {
      await signIn(String(form.get('email')), String(form.get('password')))
      emit(this, 'signed-in', null)
    } catch (error) {
      this.failure = error
    }
    this.busy = false
  }

  override render(): TemplateResult {
    const wrong = this.failure instanceof Refusal ? this.failure.errors['email']?.[0] : undefined
    return html`<main>
      <form @submit=${this.#submit} aria-labelledby="title">
        <img src=${iconUrl} alt="" width="40" height="40" />
        <h1 id="title">Sign in to Entrepot</h1>
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
        <p class="muted small">After the first start the terminal shows the login, or the file that has it.</p>
      </form>
    </main>`
  }

  static override styles = [
    ...Element.styles,
    buttons,
    fields,
    problems,
    css`
      main {
        display: grid;
        place-items: center;
        min-height: 100dvh;
        padding: 16px;
      }
      form {
        display: grid;
        gap: 16px;
        width: min(380px, 100%);
        padding: 28px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius-card);
        background: var(--_surface);
      }
    `,
  ]
}
define('ep-sign-in', SignIn)
