import { css, html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { copy } from '../../../parts/copy.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { badge } from '../../../parts/status.ts'
import { empty } from '../../../parts/table.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { formDialog } from '../../ask-form.ts'
import { errorOf, field, isGeneral, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { href } from '../../router.ts'

type Data = Awaited<ReturnType<typeof read>>
type Settings = NonNullable<Data>
type Domain = Settings['domains'][number]

const roles = ['admin', 'operator', 'support', 'billing'] as const
const isRole = (word: string | undefined): word is (typeof roles)[number] => roles.some((role) => role === word)

/** The identity provider at which members of the company sign in, and whose addresses lead there. */
class SingleSignOn extends Page<Data> {
  static override properties = { ...Page.properties, naming: { state: true }, refusal: { state: true } }
  declare naming: boolean
  declare refusal: unknown

  constructor() {
    super()
    this.naming = false
    this.refusal = null
  }

  get #path() {
    return { company: String(this.me.company_id) }
  }

  override load() {
    return read(this.me.company_id)
  }

  async #act(work: () => Promise<unknown>, done: string) {
    this.refusal = null
    try {
      await work()
      toast(done)
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  #save = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const { issuer = '', client_id = '', client_secret: secret, default_role: role, ...boxes } = valuesOf(form)
    const body = {
      issuer,
      client_id,
      ...(secret !== undefined && { client_secret: secret }),
      default_role: isRole(role) ? role : null,
      create_users: 'create_users' in boxes,
      required: 'required' in boxes,
      trust_second_factor: 'trust_second_factor' in boxes,
      trust_addresses: 'trust_addresses' in boxes,
    }
    void this.#act(async () => {
      const params = { path: this.#path }
      await ask(api.PUT('/api/2.0/user/companies/{company}/single-sign-on', { params, body }))
      const typed = form.querySelector<HTMLInputElement>('#client_secret')
      if (typed) typed.value = ''
    }, 'Saved. It counts from the next sign-in.')
  }

  #remove = () =>
    this.#act(
      () => ask(api.POST('/api/2.0/user/companies/{company}/single-sign-on/remove', { params: { path: this.#path } })),
      'Single sign-on is off.',
    )

  #name = (form: HTMLFormElement) =>
    this.#act(async () => {
      const { domain = '' } = valuesOf(form)
      const params = { path: this.#path }
      await ask(api.POST('/api/2.0/user/companies/{company}/single-sign-on/domains', { params, body: { domain } }))
      this.naming = false
    }, 'Now make its record.')

  #prove = ({ id, domain }: Domain) =>
    this.#act(() => {
      const params = { path: { ...this.#path, domain: String(id) } }
      return ask(api.POST('/api/2.0/user/companies/{company}/single-sign-on/domains/{domain}/prove', { params }))
    }, `${domain} is proved.`)

  #giveUp = ({ id, domain }: Domain) =>
    this.#act(() => {
      const params = { path: { ...this.#path, domain: String(id) } }
      return ask(api.POST('/api/2.0/user/companies/{company}/single-sign-on/domains/{domain}/remove', { params }))
    }, `${domain} is out of the list.`)

  override show(data: Data): TemplateResult {
    if (data === null) {
      return html`<h1>Single sign-on</h1>${empty('You are in no company', 'Single sign-on is set up for a company, by its owners.')}`
    }
    const wrongDomain = this.naming ? undefined : errorOf(this.refusal, 'domain')
    return html`<div class="bar"><h1>Single sign-on</h1>
        ${data.issuer === null ? nothing : html`<button @click=${this.#remove}>Switch it off</button>`}</div>
      <p>Members sign in at an identity provider of your company, by OpenID Connect. <a href="/docs/guides/sign-in#single-sign-on">How it is set up</a></p>
      ${isGeneral(this.refusal) ? problem(this.refusal) : nothing}
      ${this.#provider(data)}
      <section class="stack"><div class="bar"><h2>Domains</h2>
          <button @click=${() => {
            this.refusal = null
            this.naming = true
          }}>${icon('plus')}Add a domain</button></div>
        ${wrongDomain ? html`<p class="field-error" role="alert">${wrongDomain}</p>` : nothing}
        ${
          data.domains.length === 0
            ? empty('No domain yet', 'Addresses of a domain sign in at the provider once you have verified the domain.')
            : data.domains.map((one) => this.#domain(one))
        }
      </section>
      <p class="small"><a href=${href('/team')}>Back to the team</a></p>
      ${formDialog({
        heading: 'Add a domain',
        open: this.naming,
        failure: this.refusal,
        action: 'Add it',
        onSubmit: (form) => this.#name(form),
        onClose: () => {
          this.naming = false
        },
        fields: field({
          name: 'domain',
          label: 'Domain',
          placeholder: 'example.com',
          failure: this.refusal,
          help: 'What stands behind the @ of your addresses.',
        }),
      })}`
  }

  #domain(one: Domain): TemplateResult {
    const { domain, record, proved_at: at } = one
    const label = at === null ? badge('notice', 'To be proved') : badge('positive', 'Proved')
    const proof = html`<dl><dt>TXT record at</dt><dd>${copy(record.name)}</dd><dt>with the text</dt><dd>${copy(record.value)}</dd></dl>`
    return html`<div class="card stack"><div class="bar"><h3>${domain}</h3>${label}</div>
      ${at === null ? proof : nothing}
      <div class="row">
        ${at === null ? html`<button @click=${() => this.#prove(one)}>Look for the record</button>` : nothing}
        <button @click=${() => this.#giveUp(one)}>Remove</button></div></div>`
  }

  static override styles = [
    ...Page.styles,
    css`
      h3 {
        margin: 0;
        overflow-wrap: anywhere;
      }
      label.row {
        flex-wrap: nowrap;
      }
      label.row > input {
        flex: none;
      }
    `,
  ]

  #provider(data: Settings): TemplateResult {
    const { refusal: failure } = this
    const secretHelp = data.has_client_secret
      ? 'Leave it empty to keep the one there is.'
      : 'Empty for a client without one.'
    return html`<form class="card stack narrow" @submit=${this.#save} aria-labelledby="provider">
      <h2 id="provider">Identity provider</h2>
      <div class="field"><span>Redirect address, to register at the provider</span>${copy(data.redirect_uri)}</div>
      <div class="field"><span>Back-channel logout address: users who are signed out or locked at the provider are signed out here too</span>${copy(data.logout_uri)}</div>
      ${field({ name: 'issuer', label: 'Issuer', type: 'url', value: data.issuer ?? '', placeholder: 'https://login.example.com', failure })}
      ${field({ name: 'client_id', label: 'Client ID', value: data.client_id ?? '', failure })}
      ${field({ name: 'client_secret', label: 'Client secret', type: 'password', required: false, autocomplete: 'new-password', help: secretHelp, failure })}
      ${box({ name: 'create_users', label: 'Anyone with an address of a verified domain becomes a member', on: data.create_users, failure })}
      <div class="field"><label for="default_role">Role of new members</label>
        <select id="default_role" name="default_role">
          <option value="" .selected=${data.default_role === null}>None</option>
          ${roles.map((role) => html`<option .selected=${role === data.default_role}>${role}</option>`)}
        </select></div>
      ${box({ name: 'trust_second_factor', label: 'The provider asks for a second factor', help: 'Then ours is not asked for after it. Where the provider says so itself (“mfa” in “amr”), it need not be ticked.', on: data.trust_second_factor, failure })}
      ${box({ name: 'trust_addresses', label: 'Addresses are verified there', help: 'For providers that do not say “email_verified”. Only if people cannot change their address there themselves.', on: data.trust_addresses, failure })}
      ${box({ name: 'required', label: 'Require single sign-on', help: 'Passwords and passkeys then sign in nobody but owners, who need a second factor.', on: data.required, failure })}
      <div><button class="primary">Save</button></div>
    </form>`
  }
}
define('ep-page-single-sign-on', SingleSignOn)

interface Box {
  name: string
  label: string
  on: boolean
  help?: string
  failure: unknown
}

function box({ name, label, on, help, failure }: Box): TemplateResult {
  const wrong = errorOf(failure, name)
  return html`<div class="field">
    <label class="row"><input type="checkbox" name=${name} .checked=${on} aria-invalid=${wrong ? 'true' : 'false'}
      aria-describedby="${name}-help" />${label}</label>
    <span id="${name}-help" class=${wrong ? 'field-error' : 'field-help'}>${wrong ?? help ?? nothing}</span>
  </div>`
}

/** Null for somebody without a company. */
async function read(id: number | null) {
  if (id === null) return null
  const path = { company: String(id) }
  return (await ask(api.GET('/api/2.0/user/companies/{company}/single-sign-on', { params: { path } }))).data
}
