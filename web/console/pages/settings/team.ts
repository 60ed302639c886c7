import { css, html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { oneAtATime } from '../../../lib/overlaps.ts'
import { copy } from '../../../parts/copy.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { badge } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { formDialog, secretDialog } from '../../ask-form.ts'
import { errorOf, field, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { changeQuery } from '../../router.ts'
import { may } from '../../session.ts'
import '../../second-factor/company.ts'
import { leftBehindList, readLeftBehind } from './left-behind.ts'

type Data = Awaited<ReturnType<typeof read>>
type User = Data['users']['data'][number]
type Invitation = Data['invitations'][number]

const roles = ['owner', 'admin', 'operator', 'support', 'billing'] as const
type Role = (typeof roles)[number]
const isRole = (word: string | undefined): word is Role => roles.some((role) => role === word)

const meaning: Readonly<Record<Role, string>> = {
  owner: 'everything',
  admin: 'everything but deleting apps',
  operator: 'shops, orders, schedules and flows',
  support: 'reads shops and orders',
  billing: 'the company’s address, and what is used',
}

/** Who is in the company and what each may do; who is invited; what those who left have made. */
class Team extends Page<Data> {
  static override properties = {
    ...Page.properties,
    inviting: { state: true },
    link: { state: true },
    editing: { state: true },
    refusal: { state: true },
  }
  declare inviting: boolean
  declare link: Link | null
  declare editing: User | null
  declare refusal: unknown

  constructor() {
    super()
    this.inviting = false
    this.link = null
    this.editing = null
    this.refusal = null
  }

  #companyParams: Readonly<Record<string, string>> = {}

  /** The same object for the same company: another one would be loaded again. */
  get #company() {
    const company = String(this.me.company_id)
    if (this.#companyParams['company'] !== company) this.#companyParams = { company }
    return this.#companyParams
  }

  /** “Invite somebody” may have been chosen elsewhere. */
  override willUpdate(changed: Map<PropertyKey, unknown>) {
    super.willUpdate(changed)
    if (!changed.has('query') || this.query.get('do') !== 'invite') return
    this.refusal = null
    this.inviting = may(this.me, 'create-user')
    queueMicrotask(() => changeQuery({ do: null }, { replace: true }))
  }

  override load() {
    return read(Number(this.query.get('page') ?? 1), may(this.me, 'read-client'))
  }

  async #act(work: () => Promise<unknown>) {
    this.refusal = null
    try {
      await work()
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  #invite = (form: HTMLFormElement) =>
    this.#act(async () => {
      const { email = '', role, app } = valuesOf(form)
      if (!isRole(role)) return
      const body = { email, role, ...(app && { app_id: Number(app) }) }
      const { data } = await ask(api.POST('/api/2.0/user/invitations', { body }))
      this.inviting = false
      this.link = { ...data, heading: 'The invitation', lasts: 'seven days' }
    })

  #endSessions = ({ id, name }: User) =>
    this.#act(async () => {
      const path = { user: String(id) }
      await ask(api.DELETE('/api/2.0/user/users/{user}/sessions', { params: { path } }))
      toast(`${name} is signed out everywhere.`)
    })

  /** Of two the first would not work any longer, and might be the one that is shown. */
  #makePasswordLink = oneAtATime(({ id, email }: User) =>
    this.#act(async () => {
      const path = { user: String(id) }
      const { data } = await ask(api.POST('/api/2.0/user/users/{user}/password-link', { params: { path } }))
      this.link = { ...data, email, heading: 'A link for a new password', lasts: '30 minutes' }
    }),
  )

  #withdraw = ({ id }: Invitation) =>
    this.#act(async () => {
      const path = { invitation: String(id) }
      await ask(api.DELETE('/api/2.0/user/invitations/{invitation}', { params: { path } }))
      toast('The link no longer works.')
    })

  #assign = (form: HTMLFormElement) =>
    this.#act(async () => {
      const { editing } = this
      if (!editing) return
      const { company_role: role, ...others } = valuesOf(form)
      const app_roles = Object.entries(others).flatMap(([name, word]) =>
        name.startsWith('app-') && isRole(word) ? [{ app_id: Number(name.slice(4)), role: word }] : [],
      )
      const body = { company_role: isRole(role) ? role : null, app_roles }
      await ask(api.PUT('/api/2.0/user/users/{user}/roles', { params: { path: { user: String(editing.id) } }, body }))
      this.editing = null
      toast('Saved. It counts at once.')
    })

  #reset = () =>
    this.#act(async () => {
      const { editing } = this
      if (!editing) return
      const params = { path: { user: String(editing.id) } }
      await ask(api.POST('/api/2.0/user/users/{user}/second-factor/reset', { params }))
      this.editing = null
      toast(`${editing.name} signs in with the password alone until another is set up.`)
    })

  override show({ users, invitations, apps, left }: Data): TemplateResult {
    const canInvite = may(this.me, 'create-user')
    const invite = canInvite
      ? html`<button class="primary" @click=${() => {
          this.refusal = null
          this.inviting = true
        }}>${icon('plus')}Invite somebody</button>`
      : nothing
    const nameOf = (id: number | null) => apps.find((app) => app.id === id)?.name ?? `app ${id}`
    return html`<div class="bar"><h1>Team</h1>${invite}</div>
      ${this.refusal && !this.editing && !this.inviting ? problem(this.refusal) : nothing}
      ${table({
        caption: 'Members',
        rows: users.data,
        empty: empty('Nobody is here', 'Invite the first colleague.'),
        columns: [
          { head: 'Name', cell: ({ name, email }) => html`${name}<br /><span class="muted small">${email}</span>` },
          { head: 'Role', cell: (user) => html`<span class="role">${roleOf(user)}</span>` },
          {
            head: 'In single apps',
            cell: ({ app_roles: own }) =>
              own.map(({ app_id, role }) => `${nameOf(app_id)}: ${called(role)}`).join(', '),
            wide: true,
          },
          {
            head: 'Status',
            cell: ({ active }) => badge(active ? 'positive' : 'neutral', active ? 'Active' : 'Locked out'),
            wide: true,
          },
          {
            head: 'Actions',
            actions: true,
            cell: (user) =>
              may(this.me, 'update-user')
                ? html`<div class="row"><button @click=${() => {
                    this.refusal = null
                    this.editing = user
                  }}>Roles</button>
                  ${
                    user.id === this.me.id
                      ? nothing
                      : html`<button @click=${() => this.#makePasswordLink(user)}>Password link</button>
                  <button @click=${() => this.#endSessions(user)}>End sessions</button>`
                  }</div>`
                : nothing,
          },
        ],
      })}
      ${pager(users.meta, (page) => changeQuery({ page: String(page) }))}
      <section class="stack"><h2>Invitations</h2>
        ${table({
          caption: 'Invitations',
          rows: invitations,
          empty: empty('Nobody is invited', 'An invitation is a link that works once, for seven days.'),
          columns: [
            { head: 'Email', cell: ({ email }) => email },
            {
              head: 'Role',
              cell: ({ role, app_id: app }) => (app === null ? called(role) : `${called(role)} in ${nameOf(app)}`),
              wide: true,
            },
            { head: 'Status', cell: invitationBadge },
            { head: 'Ends', cell: ({ expires_at: at }) => time(at), wide: true },
            {
              head: 'Actions',
              actions: true,
              cell: (one) =>
                canInvite && one.accepted_at === null
                  ? html`<button @click=${() => this.#withdraw(one)}>Withdraw</button>`
                  : nothing,
            },
          ],
        })}
      </section>
      ${
        this.me.company_id !== null && may(this.me, 'manage-sign-in')
          ? html`<ep-company-sign-in .params=${this.#company} .me=${this.me}></ep-company-sign-in>`
          : nothing
      }
      ${left && left.length > 0 ? leftBehindList(left, this.me, (work) => void this.#act(work)) : nothing}
      ${this.#dialogs(apps)}`
  }

  static override styles = [
    ...Page.styles,
    css`
      .role {
        overflow-wrap: normal;
      }
    `,
  ]

  #dialogs(apps: Data['apps']): TemplateResult {
    const { editing } = this
    return html`${formDialog({
      heading: 'Invite somebody',
      open: this.inviting,
      failure: this.refusal,
      action: 'Create link',
      onSubmit: (form) => this.#invite(form),
      onClose: () => {
        this.inviting = false
      },
      fields: html`${field({ name: 'email', label: 'Email', type: 'email', failure: this.refusal })}
        ${roleField({ name: 'role', label: 'Role', value: 'operator', failure: this.refusal })}
        <div class="field"><label for="app">Where</label>
          <select id="app" name="app"><option value="">In the whole company</option>
            ${apps.map(({ id, name }) => html`<option value=${id}>Only in ${name}</option>`)}</select>
        </div>`,
    })}
      ${secretDialog(
        this.link?.heading ?? '',
        this.link ? linkWords(this.link) : html``,
        this.link !== null,
        () => {
          this.link = null
        },
        this.link?.url ?? null,
      )}
      ${formDialog({
        heading: editing ? `Roles of ${editing.name}` : 'Roles',
        open: editing !== null,
        failure: this.refusal,
        action: 'Save',
        onSubmit: (form) => this.#assign(form),
        onClose: () => {
          this.editing = null
        },
        fields: html`${roleField({ name: 'company_role', label: 'In the company', value: editing?.company_role ?? '', none: 'None: permissions alone', failure: this.refusal })}
          ${apps.map(({ id, name }) =>
            roleField({
              name: `app-${id}`,
              label: `In ${name}`,
              value: editing?.app_roles.find((own) => own.app_id === id)?.role ?? '',
              none: 'As in the company',
              failure: this.refusal,
            }),
          )}
          ${
            editing?.id === this.me.id
              ? nothing
              : html`<div class="field"><span>Lost the phone and the recovery codes?</span>
            <div class="row"><button type="button" @click=${this.#reset}>Reset the second factor</button></div></div>`
          }`,
      })}`
  }
}
define('ep-page-team', Team)

/** What is handed to a person, once. */
interface Link {
  heading: string
  url: string
  email: string
  mailed: boolean
  lasts: string
}

const linkWords = ({ url, email, mailed, lasts }: Link): TemplateResult =>
  html`<p>${mailed ? `It is on its way to ${email}. You can also hand over the link yourself.` : `Hand this link to ${email}.`} It is good once, for ${lasts}.</p>${copy(url)}`

interface RoleField {
  name: string
  label: string
  value: string
  /** What no role is called, where there may be none. */
  none?: string
  failure: unknown
}

function roleField({ name, label, value, none, failure }: RoleField): TemplateResult {
  const error = errorOf(failure, name)
  return html`<div class="field"><label for=${name}>${label}</label>
    <select id=${name} name=${name} aria-invalid=${error ? 'true' : 'false'} aria-describedby="${name}-help">
      ${none === undefined ? nothing : html`<option value="" .selected=${value === ''}>${none}</option>`}
      ${roles.map((role) => html`<option value=${role} .selected=${role === value}>${called(role)}: ${meaning[role]}</option>`)}
    </select>
    <span id="${name}-help" class="field-error">${error ?? nothing}</span>
  </div>`
}

const called = (role: string): string => role.charAt(0).toUpperCase() + role.slice(1)

function roleOf({ company_role: role, roles: ofInstance, permissions }: User): string {
  if (ofInstance.includes('admin')) return 'Administrator of the instance'
  if (role) return called(role)
  return permissions.length === 0 ? 'None' : `${permissions.length} permissions`
}

function invitationBadge({ accepted_at: accepted, expires_at: ends }: Invitation): TemplateResult {
  if (accepted) return badge('positive', 'Accepted')
  return Date.parse(ends) > Date.now() ? badge('notice', 'Open') : badge('neutral', 'Has run out')
}

async function read(page: number, showsLeft: boolean) {
  const many = { params: { query: { per_page: 100 } } }
  const [users, invitations, apps, left] = await Promise.all([
    ask(api.GET('/api/2.0/user/users', { params: { query: { page, per_page: 25 } } })),
    ask(api.GET('/api/2.0/user/invitations', many)),
    ask(api.GET('/api/2.0/user/apps', many)),
    showsLeft ? readLeftBehind() : null,
  ])
  return { users, invitations: invitations.data, apps: apps.data, left }
}
