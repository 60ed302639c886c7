import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../parts/element.ts'
import { icon } from '../../parts/icons.ts'
import { problem } from '../../parts/problem.ts'
import { toast } from '../../parts/toast.ts'
import { api, ask } from '../api.ts'
import { errorOf, isGeneral } from '../form.ts'
import { Page } from '../page.ts'
import { href } from '../router.ts'
import { may } from '../session.ts'

type Data = Awaited<ReturnType<typeof read>>

/** How everybody of the company signs in; a section of the page of the team. */
class CompanySignIn extends Page<Data> {
  static override properties = { ...Page.properties, refusal: { state: true } }
  declare refusal: unknown

  constructor() {
    super()
    this.refusal = null
  }

  override load() {
    return read(this.params['company'] ?? '')
  }

  #demand = async (event: Event) => {
    const box = event.target as HTMLInputElement
    this.refusal = null
    try {
      const body = { require_second_factor: box.checked }
      await change(this.params['company'] ?? '', body)
      toast('Saved. It counts from the next sign-in.')
    } catch (error) {
      this.refusal = error
      box.checked = !box.checked
    }
    await this.reload()
  }

  override show({ require_second_factor: required }: Data): TemplateResult {
    const wrong = errorOf(this.refusal, 'require_second_factor')
    return html`<section class="stack"><h2>Signing in</h2>
      ${isGeneral(this.refusal) ? problem(this.refusal) : nothing}
      <div class="field">
        <label class="row"><input type="checkbox" .checked=${required} @change=${this.#demand}
          aria-describedby="demand-help" />Require a second factor from everybody</label>
        <span id="demand-help" class=${wrong ? 'field-error' : 'field-help'} role=${wrong ? 'alert' : nothing}>${
          wrong ?? 'Members without one set it up at their next sign-in. Tokens for a password alone are refused.'
        }</span>
      </div>
      ${
        may(this.me, 'manage-single-sign-on')
          ? html`<div><a class="button" href=${href('/team/single-sign-on')}>${icon('key')}Single sign-on</a></div>`
          : nothing
      }</section>`
  }
}
define('ep-company-sign-in', CompanySignIn)

const path = (company: string) => ({ params: { path: { company } } })

async function read(company: string) {
  return (await ask(api.GET('/api/2.0/user/companies/{company}/sign-in', path(company)))).data
}

const change = (company: string, body: { require_second_factor: boolean }) =>
  ask(api.PUT('/api/2.0/user/companies/{company}/sign-in', { ...path(company), body }))
