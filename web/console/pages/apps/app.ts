import { css, html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { define, emit } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { badge } from '../../../parts/status.ts'
import { empty, table } from '../../../parts/table.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { field, isGeneral, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { href, navigate } from '../../router.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>

/** What is deleted by itself when it grows too old, in the words of the form and of the question before it counts. */
const kept = [
  { name: 'orders_days', label: 'Orders', goes: (days: number) => `orders placed more than ${days} days ago` },
  {
    name: 'customers_days',
    label: 'Customer data',
    goes: (days: number) => `the names, addresses and contacts of orders that arrived more than ${days} days ago`,
  },
  {
    name: 'messages_days',
    label: 'Messages from and to shops',
    goes: (days: number) => `the content of messages older than ${days} days`,
  },
] as const

type Retention = Data['retention']

/** What an app is called, how long it keeps things, which services it offers, and its end. */
class AppPage extends Page<Data> {
  static override properties = {
    ...Page.properties,
    refusal: { state: true },
    asking: { state: true },
    shortening: { state: true },
  }
  declare refusal: unknown
  declare asking: boolean
  declare shortening: Retention | null

  constructor() {
    super()
    this.refusal = null
    this.asking = false
    this.shortening = null
  }

  override load() {
    return read(this.params['app'] ?? '')
  }

  get #path() {
    return { params: { path: { appId: this.params['app'] ?? '' } } }
  }

  async #act(work: () => Promise<unknown>, said: string) {
    this.refusal = null
    try {
      await work()
      toast(said)
      emit(this, 'apps-changed', null)
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  #save = (event: SubmitEvent) => {
    event.preventDefault()
    const { name = '', description = null, url = null, return_urls = '' } = valuesOf(event.target as HTMLFormElement)
    const body = { name, description, url, return_urls: return_urls.split(/\s+/).filter((one) => one !== '') }
    void this.#act(() => ask(api.PUT('/api/2.0/user/apps/{appId}', { ...this.#path, body })), 'Saved.')
  }

  /** What would be gone within the hour is asked about first. */
  #keep = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = valuesOf(event.target as HTMLFormElement)
    const days = (name: string) => (typed[name] ? Number(typed[name]) : null)
    const wanted = {
      orders_days: days('orders_days'),
      customers_days: days('customers_days'),
      messages_days: days('messages_days'),
    }
    if (kept.some(({ name }) => wanted[name] !== null)) this.shortening = wanted
    else void this.#saveRetention(wanted)
  }

  #saveRetention = (body: Retention) => {
    this.shortening = null
    return this.#act(
      () => ask(api.PUT('/api/2.0/user/apps/{appId}/retention', { ...this.#path, body })),
      'Saved. It counts from the next hour on.',
    )
  }

  #attach = (serviceId: number) =>
    this.#act(
      () => ask(api.POST('/api/2.0/user/apps/{appId}/services', { ...this.#path, body: { service_id: serviceId } })),
      'The service is offered now.',
    )

  #detach = (serviceId: number) =>
    this.#act(
      () =>
        ask(
          api.DELETE('/api/2.0/user/apps/{appId}/services/{serviceId}', {
            params: { path: { appId: this.params['app'] ?? '', serviceId: String(serviceId) } },
          }),
        ),
      'The service is no longer offered.',
    )

  #delete = async () => {
    this.asking = false
    try {
      await ask(api.DELETE('/api/2.0/user/apps/{appId}', this.#path))
      emit(this, 'apps-changed', null)
      toast('The app has been deleted.')
      navigate('/apps')
    } catch (error) {
      this.refusal = error
    }
  }

  override show({ app, services, catalogue, retention }: Data): TemplateResult {
    const canChange = may(this.me, 'update-app', String(app.id))
    const offered = new Map(services.map((service) => [service.id, service]))
    const platforms = catalogue.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    return html`<div class="bar"><h1>${app.name}</h1>
        <div><a class="button" href=${href(`/clients?app=${app.id}`)}>Clients and secrets</a>
        ${
          may(this.me, 'delete-app', String(app.id))
            ? html`<button class="critical" @click=${() => {
                this.asking = true
              }}>Delete the app</button>`
            : nothing
        }</div>
      </div>
      ${isGeneral(this.refusal) ? problem(this.refusal) : nothing}
      <section class="card"><h2>Settings</h2>
        <form class="stack settings" @submit=${this.#save}>
          ${field({ name: 'name', label: 'Name', value: app.name, failure: this.refusal })}
          ${field({ name: 'description', label: 'Description', value: app.description ?? '', required: false, failure: this.refusal })}
          ${field({ name: 'url', label: 'Address', type: 'url', value: app.url ?? '', required: false, failure: this.refusal })}
          ${field({ name: 'return_urls', label: 'Where merchants may be sent back to', value: app.return_urls.join(' '), required: false, failure: this.refusal, help: 'Whole addresses with spaces between; anything else is refused.' })}
          ${canChange ? html`<div><button class="primary">Save</button></div>` : nothing}
        </form>
      </section>
      <section class="card"><h2 id="retention">How long things are kept</h2>
        <p class="muted">In days; an empty field keeps them as long as the platform and the operator allow. What is older is deleted within the hour, for good. <a href="/docs/guides/privacy">What is kept where</a></p>
        <form class="stack settings retention" @submit=${this.#keep}>
          ${kept.map(({ name, label }) => field({ name, label, type: 'number', value: String(retention[name] ?? ''), required: false, failure: this.refusal }))}
          ${canChange ? html`<div><button class="primary">Save</button></div>` : nothing}
        </form>
      </section>
      <section class="stack"><h2 id="services">Services</h2>
        <p class="muted">What your merchants can connect. A platform that merchants allow access by browser must know your app: set up its credentials.</p>
        ${table({
          caption: 'Services',
          rows: platforms,
          empty: empty('The catalogue is empty', 'Services come with connectors.'),
          columns: [
            {
              head: 'Service',
              cell: ({ name, logo }) =>
                html`<span class="named">${logo ? html`<img src=${logo} alt="" width="20" height="20" />` : nothing}${name}</span>`,
            },
            { head: 'Type', cell: ({ type }) => html`<code>${type}</code>`, wide: true },
            {
              head: 'Offered',
              cell: ({ id }) =>
                offered.has(id) ? badge('positive', 'Yes') : badge('neutral', 'No', { icon: 'minus' }),
            },
            {
              head: 'Credentials',
              cell: ({ id }) => {
                const service = offered.get(id)
                if (!service?.client_schema) return ''
                const text = service.client_configured ? 'Change' : 'Set up'
                return html`${service.client_configured ? nothing : badge('notice', 'Missing')} <a href=${href(`/apps/${app.id}/services/${id}`)} aria-label="${text} the credentials of ${service.name}">${text}</a>`
              },
            },
            {
              head: 'Actions',
              actions: true,
              cell: ({ id }) =>
                !canChange
                  ? nothing
                  : offered.has(id)
                    ? html`<button @click=${() => this.#detach(id)}>Stop offering</button>`
                    : html`<button @click=${() => this.#attach(id)}>Offer</button>`,
            },
          ],
        })}
      </section>
      <ep-dialog heading="Delete what is older?" ?open=${this.shortening !== null} @close=${() => {
        this.shortening = null
      }}>
        <p>Within the hour these are deleted in all shops of ${app.name}, and no sync brings them back:</p>
        <ul>${kept.map(({ name, goes }) => (this.shortening?.[name] ? html`<li>${goes(this.shortening[name])}</li>` : nothing))}</ul>
        <button slot="actions" class="critical" @click=${() => this.shortening && this.#saveRetention(this.shortening)}>Delete and save</button>
      </ep-dialog>
      <ep-dialog heading="Delete ${app.name}?" ?open=${this.asking} @close=${() => {
        this.asking = false
      }}>
        <p>Its clients stop working at once, and its shops are disconnected. This cannot be undone.</p>
        <button slot="actions" class="critical" @click=${this.#delete}>Delete the app</button>
      </ep-dialog>`
  }

  static override styles = [
    ...Page.styles,
    css`
      .settings {
        max-width: 640px;
      }
      .retention {
        margin-top: 12px;
      }
      .named {
        display: flex;
        align-items: center;
        gap: 8px;
        overflow-wrap: break-word;
      }
      .named img {
        flex: none;
      }
    `,
  ]
}
define('ep-page-app', AppPage)

async function read(appId: string) {
  const params = { path: { appId } }
  const query = { per_page: 100, sort: 'name' } as const
  const [app, retention, services, catalogue] = await Promise.all([
    ask(api.GET('/api/2.0/user/apps/{appId}', { params })),
    ask(api.GET('/api/2.0/user/apps/{appId}/retention', { params })),
    ask(api.GET('/api/2.0/user/apps/{appId}/services', { params: { ...params, query: { per_page: 100 } } })),
    ask(api.GET('/api/1.0/services', { params: { query } })),
  ])
  return { app: app.data, retention: retention.data, services: services.data, catalogue: catalogue.data }
}
