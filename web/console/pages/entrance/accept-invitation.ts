import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { api, ask, Refusal } from '../../api.ts'
import { Entrance } from '../../entrance.ts'
import { field, isGeneral, valuesOf } from '../../form.ts'
import { href } from '../../router.ts'

interface Offer {
  company: string
  email: string
  role: string
}

/** Where the link of an invitation leads. What stands behind the # is the secret: it goes to nobody but the service. */
class AcceptInvitation extends Entrance {
  static override properties = { ...Entrance.properties, offer: { state: true }, done: { state: true } }
  declare offer: Offer | null
  declare done: boolean
  override readonly pageTitle = 'Invitation'

  constructor() {
    super()
    this.offer = null
    this.done = false
  }

  #token = location.hash.slice(1)

  override connectedCallback() {
    super.connectedCallback()
    void this.attempt(async () => {
      this.offer = (await ask(api.POST('/console/invitation', { body: { token: this.#token } }))).data
    })
  }

  #submit = (event: SubmitEvent) => {
    event.preventDefault()
    const { name = '' } = valuesOf(event.target as HTMLFormElement)
    const password = String(new FormData(event.target as HTMLFormElement).get('password'))
    void this.attempt(async () => {
      await ask(api.POST('/console/invitation/accept', { body: { token: this.#token, name, password } }))
      this.done = true
    })
  }

  override content(): TemplateResult {
    if (this.done) {
      return html`<h1>Welcome</h1><p>Sign in with ${this.offer?.email} and your new password.</p>
        <a class="button primary" href=${href('/')}>Sign in</a>`
    }
    if (!this.offer) {
      if (!this.failure) return html`<p role="status">Looking at the invitation…</p>`
      if (!(this.failure instanceof Refusal && this.failure.status === 404)) return problem(this.failure)
      return html`<h1>This link no longer works</h1>
        <p>It was used, withdrawn, or is older than seven days. Ask whoever invited you for another.</p>`
    }
    const { company, email, role } = this.offer
    return html`<h1>Join ${company}</h1>
      <p>You are invited as <strong>${role}</strong>, and sign in with <strong>${email}</strong>.</p>
      ${isGeneral(this.failure) ? problem(this.failure) : nothing}
      <form @submit=${this.#submit}>
        ${field({ name: 'name', label: 'Your name', autocomplete: 'name', failure: this.failure })}
        ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', failure: this.failure, help: 'At least eight characters.' })}
        <button class="primary" ?disabled=${this.busy}>Join</button>
      </form>`
  }
}
define('ep-accept-invitation', AcceptInvitation)
