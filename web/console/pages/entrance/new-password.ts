import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { api, ask, Refusal } from '../../api.ts'
import { Entrance } from '../../entrance.ts'
import { field, isGeneral } from '../../form.ts'
import { href } from '../../router.ts'

/** Where the link leads that replaces a forgotten password. What stands behind the # goes to nobody but the service. */
class NewPassword extends Entrance {
  static override properties = { ...Entrance.properties, email: { state: true }, done: { state: true } }
  declare email: string | null
  declare done: boolean
  override readonly pageTitle = 'New password'

  constructor() {
    super()
    this.email = null
    this.done = false
  }

  #token = location.hash.slice(1)

  override connectedCallback() {
    super.connectedCallback()
    void this.attempt(async () => {
      this.email = (await ask(api.POST('/console/new-password', { body: { token: this.#token } }))).data.email
    })
  }

  #submit = (event: SubmitEvent) => {
    event.preventDefault()
    const password = String(new FormData(event.target as HTMLFormElement).get('password'))
    void this.attempt(async () => {
      await ask(api.POST('/console/new-password/choose', { body: { token: this.#token, password } }))
      this.done = true
    })
  }

  override content(): TemplateResult {
    if (this.done) {
      return html`<h1>Your password is changed</h1>
        <p role="status">Whoever was signed in with the old one no longer is. Sign in with ${this.email} and the new one.</p>
        <a class="button primary" href=${href('/')}>Sign in</a>`
    }
    if (this.failure instanceof Refusal && this.failure.status === 404) {
      return html`<h1>This link no longer works</h1>
        <p>It has been used or replaced by a newer one, or it is older than 30 minutes.</p>
        <a class="button" href=${href('/forgotten-password')}>Request a new link</a>`
    }
    if (this.email === null) {
      return this.failure ? problem(this.failure) : html`<p role="status">Looking at the link…</p>`
    }
    return html`<h1 id="title">Choose a new password</h1>
      ${isGeneral(this.failure) ? problem(this.failure) : nothing}
      <form @submit=${this.#submit} aria-labelledby="title">
        <div class="field"><label for="email">Email</label>
          <input id="email" name="email" type="email" autocomplete="username" .value=${this.email} readonly />
        </div>
        ${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', failure: this.failure, help: 'At least eight characters.' })}
        <button class="primary" ?disabled=${this.busy}>Save</button>
      </form>`
  }
}
define('ep-new-password', NewPassword)
