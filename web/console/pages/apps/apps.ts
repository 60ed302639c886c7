import { html, nothing, type TemplateResult } from 'lit'
import { oneAtATime } from '../../../lib/overlaps.ts'
import '../../../parts/dialog.ts'
import { define, emit } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { badge } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { field, isGeneral, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { changeQuery, href, navigate } from '../../router.ts'
import { may } from '../../session.ts'

/** All apps that the user may see, and the way to a new one. */
class Apps extends Page<Awaited<ReturnType<typeof readApps>>> {
  static override properties = { ...Page.properties, adding: { state: true }, refusal: { state: true } }
  declare adding: boolean
  declare refusal: unknown

  constructor() {
    super()
    this.adding = false
    this.refusal = null
  }

  override load() {
    return readApps(Number(this.query.get('page') ?? 1))
  }

  #submit = (event: SubmitEvent) => {
    event.preventDefault()
    void this.#create(event.target as HTMLFormElement)
  }

  #create = oneAtATime(async (form: HTMLFormElement) => {
    const { name = '', ...rest } = valuesOf(form)
    try {
      const { data } = await ask(api.POST('/api/2.0/user/apps', { body: { name, ...rest } }))
      this.adding = false
      emit(this, 'apps-changed', null)
      toast(`${data.name} has been made.`)
      navigate(`/apps/${data.id}`)
    } catch (error) {
      this.refusal = error
    }
  })

  #open = () => {
    this.refusal = null
    this.adding = true
  }

  override show({ data, meta }: Awaited<ReturnType<typeof readApps>>): TemplateResult {
    const add = may(this.me, 'create-app')
      ? html`<button class="primary" @click=${this.#open}>${icon('plus')}New app</button>`
      : nothing
    return html`<div class="bar"><h1>Apps</h1>${data.length > 0 ? add : nothing}</div>
      ${table({
        caption: 'Apps',
        rows: data,
        link: ({ id }) => href(`/apps/${id}`),
        empty: empty(
          'No apps yet',
          'An app is your software as Entrepot knows it: it has accounts, services and clients of its own.',
          add,
        ),
        columns: [
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Id', cell: ({ id }) => html`<code>${id}</code>`, wide: true },
          {
            head: 'Status',
            cell: ({ active }) => badge(active ? 'positive' : 'neutral', active ? 'Active' : 'Switched off'),
          },
          { head: 'Created', cell: ({ created_at: at }) => time(at) },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}
      <ep-dialog heading="New app" ?open=${this.adding} @close=${() => {
        this.adding = false
      }}>
        <form id="form" class="stack" @submit=${this.#submit}>
          ${isGeneral(this.refusal) ? problem(this.refusal) : nothing}
          ${field({ name: 'name', label: 'Name', failure: this.refusal, placeholder: 'Order manager' })}
          ${field({ name: 'description', label: 'Description', required: false, failure: this.refusal })}
          ${field({ name: 'url', label: 'Address', type: 'url', required: false, failure: this.refusal, help: 'Where your software is found.' })}
        </form>
        <button slot="actions" class="primary" @click=${() => this.renderRoot.querySelector<HTMLFormElement>('#form')?.requestSubmit()}>Create app</button>
      </ep-dialog>`
  }
}
define('ep-page-apps', Apps)

const readApps = (page: number) =>
  ask(api.GET('/api/2.0/user/apps', { params: { query: { page, per_page: 25, sort: 'name' } } }))
