import { html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { badge } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { formDialog } from '../../ask-form.ts'
import { errorOf, field, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { changeQuery } from '../../router.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>
type User = Data['data'][number]

const resources = ['integration', 'schedule', 'order', 'client', 'user', 'service']
const verbs = ['read', 'create', 'update', 'delete']
/** Services are changed here, but neither made nor read by permission. */
const permissions = resources.flatMap((resource) =>
  verbs
    .filter((verb) => resource !== 'service' || verb === 'update' || verb === 'delete')
    .map((verb) => `${verb}-${resource}`),
)

/** Who may sign in, and what each may do. */
class Users extends Page<Data> {
  static override properties = { ...Page.properties, editing: { state: true }, refusal: { state: true } }
  declare editing: User | 'new' | null
  declare refusal: unknown

  constructor() {
    super()
    this.editing = null
    this.refusal = null
  }

  override load() {
    return read(Number(this.query.get('page') ?? 1))
  }

  #save = async (form: HTMLFormElement) => {
    const { name = '', email = '', password } = valuesOf(form)
    const chosen = new FormData(form).getAll('permissions').map(String)
    const body = { name, email, permissions: chosen, ...(password && { password }) }
    try {
      if (this.editing === 'new') await ask(api.POST('/api/1.0/users', { body: { ...body, password: password ?? '' } }))
      else if (this.editing) {
        await ask(api.PUT('/api/1.0/users/{user}', { params: { path: { user: String(this.editing.id) } }, body }))
      }
      this.editing = null
      toast('Saved.')
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  #setActive = async ({ id }: User, active: boolean) => {
    this.refusal = null
    try {
      await ask(api.PUT('/api/1.0/users/{user}', { params: { path: { user: String(id) } }, body: { active } }))
      toast(active ? 'The user may sign in again.' : 'The user is locked out.')
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  #edit = (user: User | 'new') => {
    this.refusal = null
    this.editing = user
  }

  override show({ data, meta }: Data): TemplateResult {
    const canUpdate = may(this.me, 'update-user')
    const add = may(this.me, 'create-user')
      ? html`<button class="primary" @click=${() => this.#edit('new')}>${icon('plus')}New user</button>`
      : nothing
    const editing = this.editing === 'new' ? null : this.editing
    return html`<div class="bar"><h1>Users</h1>${add}</div>
      ${this.refusal && !this.editing ? problem(this.refusal) : nothing}
      ${table({
        caption: 'Users',
        rows: data,
        empty: empty('No users', 'Nobody but you.'),
        columns: [
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Email', cell: ({ email }) => email, wide: true },
          { head: 'Roles', cell: ({ roles }) => roles.join(', '), wide: true },
          {
            head: 'Status',
            cell: ({ active }) => badge(active ? 'positive' : 'neutral', active ? 'Active' : 'Locked out'),
          },
          { head: 'Created', cell: ({ created_at: at }) => time(at), wide: true },
          {
            head: 'Actions',
            actions: true,
            cell: (user) =>
              canUpdate
                ? html`<span class="row"><button @click=${() => this.#edit(user)}>Edit</button>${
                    user.id === this.me.id
                      ? nothing
                      : html`<button @click=${() => this.#setActive(user, !user.active)}>${user.active ? 'Lock out' : 'Let in'}</button>`
                  }</span>`
                : nothing,
          },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}
      ${formDialog({
        heading: editing ? editing.name : 'New user',
        open: this.editing !== null,
        failure: this.refusal,
        action: 'Save',
        onSubmit: (form) => this.#save(form),
        onClose: () => {
          this.editing = null
        },
        fields: html`${field({ name: 'name', label: 'Name', value: editing?.name ?? '', failure: this.refusal })}
          ${field({ name: 'email', label: 'Email', type: 'email', value: editing?.email ?? '', failure: this.refusal })}
          ${field({ name: 'password', label: 'Password', type: 'password', required: !editing, failure: this.refusal, help: editing ? 'Leave empty to keep it.' : 'At least eight characters.' })}
          <fieldset><legend>Permissions</legend>
            <div class="choices">${permissions.map((one) => html`<label class="row"><input type="checkbox" name="permissions" value=${one} .checked=${editing?.permissions.includes(one) ?? false} />${one}</label>`)}</div>
          </fieldset>
          ${errorOf(this.refusal, 'permissions') ? html`<span class="field-error">${errorOf(this.refusal, 'permissions')}</span>` : nothing}`,
      })}`
  }
}
define('ep-page-users', Users)

const read = (page: number) => ask(api.GET('/api/2.0/user/users', { params: { query: { page, per_page: 25 } } }))
