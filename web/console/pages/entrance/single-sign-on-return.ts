import { html, type TemplateResult } from 'lit'
import { define, emit } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { api, ask } from '../../api.ts'
import { Entrance } from '../../entrance.ts'
import { errorOf } from '../../form.ts'
import { href, navigate } from '../../router.ts'
import './second-step.ts'
import type { Step } from './second-step.ts'

/** Where identity providers send browsers back to: `/console/single-sign-on/<company>?code=…`. */
class SingleSignOnReturn extends Entrance {
  static override properties = { ...Entrance.properties, company: { attribute: false }, step: { state: true } }
  declare company: number
  declare step: Step | null
  override readonly pageTitle = 'Sign in'

  constructor() {
    super()
    this.step = null
  }

  override firstUpdated() {
    const { search } = location
    // A code is good once, and nobody's to keep: not even in the history of this browser.
    history.replaceState(null, '', location.pathname)
    void this.attempt(async () => {
      const body = { company: this.company, answer: search }
      const answer = await ask(api.POST('/console/session/single-sign-on/finish', { body }))
      if (answer) {
        this.step = answer.data
        return
      }
      this.#leave()
      emit(this, 'signed-in', null)
    })
  }

  #leave = () => navigate('/', { replace: true })

  override render(): TemplateResult {
    if (!this.step) return super.render()
    return html`<ep-second-step .step=${this.step} @signed-in=${this.#leave} @back=${this.#leave}></ep-second-step>`
  }

  override content(): TemplateResult {
    if (!this.failure) return html`<h1>Signing in…</h1><p role="status">One moment.</p>`
    const words = errorOf(this.failure, 'single_sign_on')
    return html`<h1>You are not signed in</h1>
      ${words ? html`<p role="alert">${words}</p>` : problem(this.failure)}
      <p class="small"><a href=${href('/')}>Back to the sign-in</a></p>`
  }
}
define('ep-single-sign-on-return', SingleSignOnReturn)
