import { html, nothing, type TemplateResult } from 'lit'
import { copy } from '../../../parts/copy.ts'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { badge } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { api, asApp, ask } from '../../api.ts'
import { formDialog, secretDialog } from '../../ask-form.ts'
import { errorOf, field, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { changeQuery, href } from '../../router.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>
type Webhook = Data['list']['data'][number]

export const webhookBadge = ({
  active,
  disabled_at: disabled,
  failing_since: failing,
}: Pick<Webhook, 'active' | 'disabled_at' | 'failing_since'>) => {
  if (disabled) return badge('critical', 'Disabled')
  if (!active) return badge('neutral', 'Switched off')
  return failing ? badge('notice', 'Failing') : badge('positive', 'Active')
}

/** The webhooks of the app, and how their deliveries go. */
class Webhooks extends Page<Data> {
  static override properties = {
    ...Page.properties,
    adding: { state: true },
    refusal: { state: true },
    secret: { state: true },
  }
  declare adding: boolean
  declare refusal: unknown
  declare secret: string | null
  override refreshSeconds = 10

  constructor() {
    super()
    this.adding = false
    this.refusal = null
    this.secret = null
  }

  override load() {
    const app = this.params['app'] ?? ''
    return read(app, Number(this.query.get('page') ?? 1), may(this.me, 'read-integration', app))
  }

  #create = async (form: HTMLFormElement) => {
    const { url = '', description } = valuesOf(form)
    const events = new FormData(form).getAll('events').map(String)
    const shops = new FormData(form).getAll('integration_ids').map(Number)
    const thin = new FormData(form).has('thin')
    try {
      const { data } = await ask(
        api.POST('/api/2.0/user/apps/{appId}/webhooks', {
          params: { path: { appId: this.params['app'] ?? '' } },
          body: {
            url,
            events: (events.length === 0 ? ['*'] : events) as never,
            ...(shops.length > 0 && { integration_ids: shops }),
            ...(thin && { thin }),
            ...(description && { description }),
          },
        }),
      )
      this.adding = false
      this.secret = data.secret
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  override show({ list: { data, meta }, types, shops }: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    const add = may(this.me, 'manage-access', app)
      ? html`<button class="primary" @click=${() => {
          this.refusal = null
          this.adding = true
        }}>${icon('plus')}New webhook</button>`
      : nothing
    return html`<div class="bar"><h1>Webhooks</h1>${data.length > 0 ? add : nothing}</div>
      ${table({
        caption: 'Webhooks',
        rows: data,
        link: ({ id }) => href(`/apps/${app}/webhooks/${id}`),
        empty: empty(
          'No webhooks yet',
          'A webhook tells your software when orders, products or stock change, signed and in order.',
          add,
        ),
        columns: [
          {
            head: 'Address',
            cell: ({ url, description }) =>
              html`${url}${description ? html`<br /><span class="muted small">${description}</span>` : nothing}`,
          },
          { head: 'Events', cell: ({ events }) => (events.includes('*') ? 'all' : events.join(', ')), wide: true },
          { head: 'Shops', cell: ({ integration_ids: shops }) => shops?.length ?? 'all', wide: true },
          { head: 'Status', cell: webhookBadge },
          { head: 'Created', cell: ({ created_at: at }) => time(at), wide: true },
        ],
      })}
      ${pager(meta, (page) => changeQuery({ page: String(page) }))}
      ${formDialog({
        heading: 'New webhook',
        open: this.adding,
        failure: this.refusal,
        action: 'Make the webhook',
        onSubmit: (form) => this.#create(form),
        onClose: () => {
          this.adding = false
        },
        fields: html`${field({ name: 'url', label: 'Address', type: 'url', failure: this.refusal, placeholder: 'https://app.example/webhooks' })}
          ${field({ name: 'description', label: 'Description', required: false, failure: this.refusal })}
          <fieldset><legend>Events <span class="muted">(none chosen: all)</span></legend>
            <div class="choices">${types.map(({ type }) => html`<label class="row"><input type="checkbox" name="events" value=${type} />${type}</label>`)}</div>
          </fieldset>
          ${
            shops.length > 1
              ? html`<fieldset><legend>Shops <span class="muted">(none chosen: all, now and later)</span></legend>
                  <div class="choices">${shops.map(({ id, name }) => html`<label class="row"><input type="checkbox" name="integration_ids" value=${id} />${name}</label>`)}</div>
                </fieldset>`
              : nothing
          }
          <label class="row"><input type="checkbox" name="thin" />Ids only <span class="muted">(the receiver reads the record itself)</span></label>
          ${errorOf(this.refusal, 'events') ? html`<span class="field-error">${errorOf(this.refusal, 'events')}</span>` : nothing}`,
      })}
      ${secretDialog(
        'The secret of the webhook',
        html`<p>It verifies what we send (Standard Webhooks).</p>${copy(this.secret ?? '')}`,
        this.secret !== null,
        () => {
          this.secret = null
        },
        this.secret,
      )}`
  }
}
define('ep-page-webhooks', Webhooks)

async function read(app: string, page: number, maySeeShops: boolean) {
  const path = { appId: app }
  const [list, types, shops] = await Promise.all([
    ask(api.GET('/api/2.0/user/apps/{appId}/webhooks', { params: { path, query: { page, per_page: 25 } } })),
    ask(api.GET('/api/2.0/user/apps/{appId}/webhooks/event-types', { params: { path } })),
    // Who may look after webhooks need not see the shops: then the form asks for none.
    maySeeShops
      ? ask(asApp(app).GET('/api/2.0/app/integrations', { params: { query: { per_page: 100, sort: 'name' } } }))
      : null,
  ])
  return { list, types: types.data, shops: shops?.data ?? [] }
}
