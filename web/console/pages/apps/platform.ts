import { css, html, nothing, type TemplateResult } from 'lit'
import '../../../parts/copy.ts'
import { define } from '../../../parts/element.ts'
import type { FormSchema } from '../../../parts/form-fields.ts'
import { problem } from '../../../parts/problem.ts'
import { type FormValues, schemaForm } from '../../../parts/schema-form.ts'
import { badge } from '../../../parts/status.ts'
import { empty } from '../../../parts/table.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask, Refusal } from '../../api.ts'
import { isGeneral } from '../../form.ts'
import { Page } from '../../page.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>

/** What a platform gave the app when it was registered there. It goes in, and nobody gets it out again. */
class PlatformPage extends Page<Data> {
  static override properties = {
    ...Page.properties,
    refusal: { state: true },
    values: { state: true },
    busy: { state: true },
  }
  declare refusal: unknown
  declare values: FormValues
  declare busy: boolean

  constructor() {
    super()
    this.refusal = null
    this.values = {}
    this.busy = false
  }

  override load() {
    return read(this.params)
  }

  async #put(client: FormValues | null, said: string) {
    const { app: appId = '', service: serviceId = '' } = this.params
    this.busy = true
    this.refusal = null
    try {
      const params = { path: { appId, serviceId } }
      await ask(api.PUT('/api/2.0/user/apps/{appId}/services/{serviceId}', { params, body: { client } }))
      this.values = {}
      toast(said)
    } catch (error) {
      this.refusal = error
    }
    this.busy = false
    await this.reload()
  }

  #save = (event: SubmitEvent) => {
    event.preventDefault()
    void this.#put(this.values, 'The credentials have been saved.')
  }

  override show({ app, service }: Data): TemplateResult {
    const schema = service.client_schema as FormSchema | null
    const back = html`<p><a href=${href(`/apps/${app.id}`)}>${app.name}</a></p>`
    if (!schema) {
      return html`${back}<h1>${service.name}</h1>${empty('Nothing to set up', 'Merchants connect this platform with keys of their own.')}`
    }
    return html`${back}
      <div class="bar"><div><h1>${service.name}: credentials</h1>
        ${service.client_configured ? badge('positive', 'Set up') : badge('notice', 'Not set up')}</div>
      </div>
      <p>Register your app at ${service.name}, then enter here what you were given there. Without it merchants cannot connect their shops by browser.</p>
      <section class="card stack">
        <h2>1. At ${service.name}</h2>
        <p>Where asked for the address that merchants are sent back to (redirect or callback URL), enter:</p>
        <ep-copy text=${service.callback_url ?? ''} label="Copy the callback URL"></ep-copy>
      </section>
      <section class="card stack">
        <h2>2. Here</h2>
        ${service.client_configured ? html`<p class="muted">Credentials are set. They are kept sealed and never shown; what you save replaces all of them.</p>` : nothing}
        ${isGeneral(this.refusal) ? problem(this.refusal) : nothing}
        ${may(this.me, 'update-app', String(app.id)) ? this.#form(schema, service.client_configured) : html`<p class="muted">It takes the right “update-app” to change them.</p>`}
      </section>`
  }

  #form(schema: FormSchema, configured: boolean): TemplateResult {
    return html`<form class="stack" @submit=${this.#save} novalidate>
      ${schemaForm(schema, {
        prefix: 'client.',
        values: this.values,
        errors: this.refusal instanceof Refusal ? this.refusal.errors : {},
        secret: true,
        language: 'en',
        words: { optional: 'optional', choose: 'Choose…', more: 'More settings' },
        onChange: (values) => {
          this.values = values
        },
      })}
      <div class="row"><button class="primary" ?disabled=${this.busy}>Save the credentials</button>
        ${configured ? html`<button type="button" class="critical" ?disabled=${this.busy} @click=${() => this.#put(null, 'The credentials have been removed.')}>Remove them</button>` : nothing}
      </div>
    </form>`
  }

  static override styles = [
    ...Page.styles,
    css`
      form {
        max-width: 640px;
      }
      .folded {
        display: grid;
        gap: 16px;
        margin-top: 12px;
      }
      summary {
        width: fit-content;
        cursor: pointer;
      }
    `,
  ]
}
define('ep-page-platform', PlatformPage)

async function read({ app: appId = '', service: id = '' }: Readonly<Record<string, string>>) {
  const params = { path: { appId } }
  const [app, services] = await Promise.all([
    ask(api.GET('/api/2.0/user/apps/{appId}', { params })),
    ask(api.GET('/api/2.0/user/apps/{appId}/services', { params: { ...params, query: { per_page: 100 } } })),
  ])
  const service = services.data.find((one) => String(one.id) === id)
  if (!service) throw new Refusal(404, { message: 'The app does not offer this service.' }, new Headers())
  return { app: app.data, service }
}
