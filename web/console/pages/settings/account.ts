import { html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { badge } from '../../../parts/status.ts'
import { empty, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { formDialog } from '../../ask-form.ts'
import { field } from '../../form.ts'
import { Page } from '../../page.ts'
import '../../second-factor/section.ts'

type Sessions = Awaited<ReturnType<typeof read>>
type Session = Sessions[number]

/** What everybody does for themselves, whatever they may besides: the password, and where they are signed in. */
class Account extends Page<Sessions> {
  static override properties = { ...Page.properties, changing: { state: true }, refusal: { state: true } }
  declare changing: boolean
  declare refusal: unknown

  constructor() {
    super()
    this.changing = false
    this.refusal = null
  }

  override load() {
    return read()
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

  #change = (form: HTMLFormElement) => {
    const given = new FormData(form)
    const body = { current_password: String(given.get('current_password')), password: String(given.get('password')) }
    return this.#act(async () => {
      await ask(api.PUT('/api/2.0/user/password', { body }))
      this.changing = false
    }, 'Your password is changed. You are signed out everywhere else.')
  }

  #end = (session: string, done: string) =>
    this.#act(() => ask(api.DELETE('/api/2.0/user/sessions/{session}', { params: { path: { session } } })), done)

  #endOthers = () => this.#end('others', 'You are signed out everywhere else.')

  override show(sessions: Sessions): TemplateResult {
    const { name, email, company_role: role, roles } = this.me
    return html`<h1>Your account</h1>
      ${this.refusal && !this.changing ? problem(this.refusal) : nothing}
      <section class="card stack">
        <dl>
          <dt>Name</dt><dd>${name}</dd>
          <dt>Email</dt><dd>${email}</dd>
          <dt>Role</dt><dd>${[role, ...roles].filter((one) => one !== null).join(', ') || 'None: permissions alone'}</dd>
        </dl>
        <div><button @click=${() => {
          this.refusal = null
          this.changing = true
        }}>${icon('key')}Change password</button></div>
      </section>
      <ep-second-factor .params=${this.params} .query=${this.query} .me=${this.me}></ep-second-factor>
      <section class="stack">
        <div class="bar"><h2>Where you are signed in</h2>
          ${sessions.length > 1 ? html`<button @click=${this.#endOthers}>Sign out everywhere else</button>` : nothing}</div>
        ${table({
          caption: 'Where you are signed in',
          rows: sessions,
          empty: empty('Nowhere', 'Sessions and tokens of yours are listed here.'),
          columns: [
            { head: 'Where', cell: whereOf },
            { head: 'Address', cell: ({ address }) => address ?? 'Unknown', wide: true },
            { head: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'Not yet' : time(at)) },
            { head: 'Since', cell: ({ created_at: at }) => time(at), wide: true },
            { head: 'Ends', cell: ({ expires_at: at }) => time(at), wide: true },
            {
              head: 'Actions',
              actions: true,
              cell: (one) =>
                one.current
                  ? badge('positive', 'This one')
                  : html`<button @click=${() => this.#end(one.id, 'It has ended.')}>End</button>`,
            },
          ],
        })}
        <p class="muted small">“Last used” is accurate to a few minutes. If you do not recognize one of these, end it and change your password.</p>
      </section>
      ${formDialog({
        heading: 'Change password',
        open: this.changing,
        failure: this.refusal,
        action: 'Change it',
        onSubmit: (form) => this.#change(form),
        onClose: () => {
          this.changing = false
        },
        fields: html`<p>Whoever is signed in as you anywhere else is signed out.</p>
          ${field({ name: 'current_password', label: 'Current password', type: 'password', autocomplete: 'current-password', failure: this.refusal })}
          ${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', failure: this.refusal, help: 'At least eight characters.' })}`,
      })}`
  }
}
define('ep-page-account', Account)

function whereOf({ kind, browser, client }: Session): TemplateResult {
  const [title, more] =
    kind === 'console' ? [browser ?? 'A browser', 'Console'] : [client, browser ? `Token, ${browser}` : 'Token']
  return html`${title}<br /><span class="muted small">${more}</span>`
}

async function read() {
  return (await ask(api.GET('/api/2.0/user/sessions'))).data
}
