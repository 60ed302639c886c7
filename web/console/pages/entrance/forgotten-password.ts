import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { api, ask } from '../../api.ts'
import { Entrance } from '../../entrance.ts'
import { field, isGeneral, valuesOf } from '../../form.ts'
import { href } from '../../router.ts'

/** Asks for a link by mail. What is said does not depend on whether there is such a user. */
class ForgottenPassword extends Entrance {
  static override properties = { ...Entrance.properties, asked: { state: true } }
  declare asked: { email: string; byMail: boolean } | null
  override readonly pageTitle = 'Forgotten password'

  constructor() {
    super()
    this.asked = null
  }

  #submit = (event: SubmitEvent) => {
    event.preventDefault()
    const { email = '' } = valuesOf(event.target as HTMLFormElement)
    void this.attempt(async () => {
      const { data } = await ask(api.POST('/console/forgotten-password', { body: { email } }))
      this.asked = { email, byMail: data.by_mail }
    })
  }

  override content(): TemplateResult {
    const back = html`<p class="small"><a href=${href('/')}>Back to the sign-in</a></p>`
    if (this.asked) {
      return this.asked.byMail
        ? html`<h1>Look into your mailbox</h1>
            <p role="status">If there is a user with the address <strong>${this.asked.email}</strong>, a link to choose a new password is on its way there. It is good once, for 30 minutes.</p>${back}`
        : html`<h1>Ask your team</h1>
            <p role="status">This service sends no mail. An owner or admin of your company can make a link for you, on the page <strong>Team</strong>; whoever runs the service can do so with <code>entrepot password-link</code>.</p>${back}`
    }
    return html`<h1 id="title">Forgotten your password?</h1>
      <p>Enter the address you sign in with. You get a link to choose a new password.</p>
      ${isGeneral(this.failure) ? problem(this.failure) : nothing}
      <form @submit=${this.#submit} aria-labelledby="title">
        ${field({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', failure: this.failure })}
        <button class="primary" ?disabled=${this.busy}>Send the link</button>
      </form>${back}`
  }
}
define('ep-forgotten-password', ForgottenPassword)
