import { html, nothing, type TemplateResult } from 'lit'
import { copy } from '../../../parts/copy.ts'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { formDialog, secretDialog } from '../../ask-form.ts'
import { field, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { changeQuery } from '../../router.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>
type Client = Data['clients']['data'][number]

/** Who may ask for tokens. A secret is shown once, when it is made. */
class Clients extends Page<Data> {
  static override properties = {
    ...Page.properties,
    adding: { state: true },
    refusal: { state: true },
    made: { state: true },
    asking: { state: true },
  }
  declare adding: boolean
  declare refusal: unknown
  declare made: { id: number; secret: string } | null
  declare asking: Client | null

  constructor() {
    super()
    this.adding = false
    this.refusal = null
    this.made = null
    this.asking = null
  }

  override load() {
    return read(Number(this.query.get('page') ?? 1))
  }

  #create = async (form: HTMLFormElement) => {
    const { name = '', app_id } = valuesOf(form)
    const grants = app_id ? ['client_credentials'] : ['password', 'refresh_token']
    try {
      const { data } = await ask(
        api.POST('/api/2.0/user/clients', {
          body: { name, grant_types: grants, ...(app_id && { app_id: Number(app_id) }) },
        }),
      )
      this.adding = false
      this.made = { id: data.id, secret: String(data.secret ?? '') }
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  #revoke = async () => {
    const client = this.asking
    this.asking = null
    if (!client) return
    try {
      await ask(api.DELETE('/api/2.0/user/clients/{id}', { params: { path: { id: String(client.id) } } }))
      toast('The client has been revoked.')
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  override show({ clients: { data, meta }, apps }: Data): TemplateResult {
    const add = may(this.me, 'create-client')
      ? html`<button class="primary" @click=${() => {
          this.refusal = null
          this.adding = true
        }}>${icon('plus')}New client</button>`
      : nothing
    const nameOf = new Map(apps.map(({ id, name }) => [id, name]))
    const chosen = this.query.get('app')
    return html`<div class="bar"><h1>Clients</h1>${data.length > 0 ? add : nothing}</div>
      ${this.refusal && !this.adding ? problem(this.refusal) : nothing}
      ${table({
        caption: 'Clients',
        rows: data,
        empty: empty('No clients yet', 'A client is what your software logs in with: an id and a secret.', add),
        columns: [
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Client id', cell: ({ id }) => copy(String(id)) },
          { head: 'App', cell: ({ app_id: app }) => (app === null ? 'none' : (nameOf.get(app) ?? app)), wide: true },
          { head: 'Grants', cell: ({ grant_types: grants }) => grants.join(', '), wide: true },
          { head: 'Created', cell: ({ created_at: at }) => time(at), wide: true },
          {
            head: 'Actions',
            actions: true,
            cell: (client) =>
              may(this.me, 'delete-client')
                ? html`<button class="critical" @click=${() => {
                    this.asking = client
                  }}>Revoke</button>`
                : nothing,
          },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}
      ${formDialog({
        heading: 'New client',
        open: this.adding,
        failure: this.refusal,
        action: 'Create client',
        onSubmit: (form) => this.#create(form),
        onClose: () => {
          this.adding = false
        },
        fields: html`${field({ name: 'name', label: 'Name', failure: this.refusal })}
          <div class="field"><label for="app_id">For</label>
            <select id="app_id" name="app_id">
              <option value="">users who log in with a password</option>
              ${apps.map(({ id, name }) => html`<option value=${id} .selected=${String(id) === chosen}>the app ${name}</option>`)}
            </select>
          </div>`,
      })}
      ${secretDialog(
        'The client’s secret',
        html`<dl><dt>Client id</dt><dd>${copy(String(this.made?.id ?? ''))}</dd><dt>Client secret</dt><dd>${copy(this.made?.secret ?? '')}</dd></dl>`,
        this.made !== null,
        () => {
          this.made = null
        },
      )}
      <ep-dialog heading="Revoke ${this.asking?.name ?? ''}?" ?open=${this.asking !== null} @close=${() => {
        this.asking = null
      }}>
        <p>Its tokens end at once. Software that uses it is locked out.</p>
        <button slot="actions" class="critical" @click=${this.#revoke}>Revoke the client</button>
      </ep-dialog>`
  }
}
define('ep-page-clients', Clients)

async function read(page: number) {
  const [clients, apps] = await Promise.all([
    ask(api.GET('/api/2.0/user/clients', { params: { query: { page, per_page: 25, sort: '-id' } } })),
    ask(api.GET('/api/2.0/user/apps', { params: { query: { per_page: 100 } } })),
  ])
  return { clients, apps: apps.data }
}
