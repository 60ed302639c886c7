import { html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { badge } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { asApp, ask } from '../../api.ts'
import { formDialog } from '../../ask-form.ts'
import { field, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { changeQuery, href } from '../../router.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>

/** The merchants of an app. */
class Accounts extends Page<Data> {
  static override properties = { ...Page.properties, adding: { state: true }, refusal: { state: true } }
  declare adding: boolean
  declare refusal: unknown

  constructor() {
    super()
    this.adding = false
    this.refusal = null
  }

  override load() {
    return read(this.params['app'] ?? '', Number(this.query.get('page') ?? 1))
  }

  #create = async (form: HTMLFormElement) => {
    const { remote_id = '', name } = valuesOf(form)
    try {
      await ask(
        asApp(this.params['app'] ?? '').POST('/api/2.0/app/accounts', { body: { remote_id, ...(name && { name }) } }),
      )
      this.adding = false
      toast('The account has been made.')
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  override show({ data, meta }: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    const add = may(this.me, 'create-integration', this.params['app'])
      ? html`<button class="primary" @click=${() => {
          this.refusal = null
          this.adding = true
        }}>${icon('plus')}New merchant</button>`
      : nothing
    return html`<div class="bar"><h1>Merchants</h1>${data.length > 0 ? add : nothing}</div>
      ${table({
        caption: 'Merchants',
        rows: data,
        link: ({ id }) => href(`/apps/${app}/connect?account=${id}`),
        empty: empty(
          'No merchants yet',
          'Your software makes a merchant’s account over the API, under the id that it knows the merchant by.',
          add,
        ),
        columns: [
          { head: 'Name', cell: ({ name, remote_id: remoteId }) => name ?? remoteId },
          { head: 'Your id', cell: ({ remote_id: remoteId }) => html`<code>${remoteId}</code>` },
          {
            head: 'Status',
            cell: ({ active }) => badge(active ? 'positive' : 'neutral', active ? 'Active' : 'Switched off'),
          },
          { head: 'Created', cell: ({ created_at: at }) => time(at), wide: true },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}
      ${formDialog({
        heading: 'New merchant',
        open: this.adding,
        failure: this.refusal,
        action: 'Make the merchant’s account',
        onSubmit: (form) => this.#create(form),
        onClose: () => {
          this.adding = false
        },
        fields: html`${field({ name: 'remote_id', label: 'Your id', failure: this.refusal, help: 'What your software calls this merchant.' })}
          ${field({ name: 'name', label: 'Name', required: false, failure: this.refusal })}`,
      })}`
  }
}
define('ep-page-accounts', Accounts)

const read = (app: string, page: number) =>
  ask(asApp(app).GET('/api/2.0/app/accounts', { params: { query: { page, per_page: 25 } } }))
