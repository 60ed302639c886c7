import { css, html, nothing, type TemplateResult } from 'lit'
import { oneAtATime } from '../../../lib/overlaps.ts'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { settled } from '../../../parts/settled.ts'
import { api, asApp, ask } from '../../api.ts'
import { Page } from '../../page.ts'
import { may } from '../../session.ts'

type Data = Awaited<ReturnType<typeof read>>

/** Where a person decides whether an agent comes in, and how far. Nothing is given that was not chosen here. */
class LetIn extends Page<Data> {
  static override properties = {
    ...Page.properties,
    refusal: { state: true },
    app: { state: true },
    shops: { state: true },
    onlySome: { state: true },
  }
  declare refusal: unknown
  declare app: string
  declare shops: readonly { id: number; name: string }[] | null
  declare onlySome: boolean

  constructor() {
    super()
    this.refusal = null
    this.app = ''
    this.shops = null
    this.onlySome = false
  }

  override async load() {
    const data = await read(this.query)
    const known = data.apps.filter(({ id }) => may(this.me, 'manage-access', String(id)))
    if (this.app === '' && known[0]) this.app = String(known[0].id)
    return { ...data, apps: known }
  }

  #chooseSome = async (onlySome: boolean) => {
    this.onlySome = onlySome
    if (!onlySome) return
    this.shops = null
    this.refusal = null
    const { app } = this
    try {
      const query = { per_page: 100, sort: 'name' } as const
      const page = await ask(asApp(app).GET('/api/2.0/app/integrations', { params: { query } }))
      if (app === this.app) this.shops = page.data.map(({ id, name }) => ({ id, name }))
    } catch (error) {
      this.refusal = error
    }
  }

  #submit = (event: Event) => {
    event.preventDefault()
    void this.#agree(new FormData(event.target as HTMLFormElement))
  }

  #agree = oneAtATime(async (form: FormData) => {
    this.refusal = null
    const shops = form.getAll('shop').map(Number)
    try {
      const { data } = await ask(
        api.POST('/api/2.0/user/apps/{appId}/agents', {
          params: { path: { appId: this.app } },
          body: {
            ...askedBy(this.query),
            shops: this.onlySome ? shops : null,
            tools: form.getAll('tool').map(String) as never,
            customer_data: form.has('customer_data'),
            calls_per_hour: Number(form.get('calls_per_hour')),
            writes_per_day: Number(form.get('writes_per_day')),
          },
        }),
      )
      location.assign(data.redirect_to)
    } catch (error) {
      this.refusal = error
    }
  })

  override show({ request, apps }: Data): TemplateResult {
    if (apps.length === 0) {
      return html`<h1>Let an agent in</h1><p>You may let agents into no app. Ask an owner or admin of your company.</p>
        <p><a class="button" href=${request.refuse_url}>Go back</a></p>`
    }
    const reads = request.tools.filter(({ writes }) => !writes)
    const changes = request.tools.filter(({ writes }) => writes)
    const tool = ({ name, title, description }: (typeof reads)[number], isTicked: boolean) =>
      html`<label class="tool"><input type="checkbox" name="tool" value=${name} .checked=${isTicked}>
        <span><strong>${title}</strong><br><span class="muted">${description}</span></span></label>`
    return html`<h1>Give an agent access?</h1>
      <section class="card stack" aria-label="Who asks">
        <p>A program that calls itself <strong>${request.name}</strong> wants to act for you. <strong>Nobody has verified that name.</strong>
          Continue only if you have just connected it yourself.</p>
        <dl><dt>Your answer goes to</dt><dd><code>${request.redirect_host}</code></dd>
          ${request.uri ? html`<dt>It says it is from</dt><dd><code>${request.uri}</code></dd>` : nothing}</dl>
      </section>
      ${this.refusal ? problem(this.refusal) : nothing}
      <form class="stack" @submit=${this.#submit}>
        <div class="field narrow"><label for="app">For the app</label>
          <select id="app" ${settled((value) => {
            this.app = value
            void this.#chooseSome(this.onlySome)
          })}>
            ${apps.map(({ id, name }) => html`<option value=${id} .selected=${String(id) === this.app}>${name}</option>`)}
          </select>
        </div>
        <fieldset class="card stack"><legend>Shops</legend>
          <label class="row"><input type="radio" name="which" .checked=${!this.onlySome} @change=${() => this.#chooseSome(false)}> All shops of the app, including future ones</label>
          <label class="row"><input type="radio" name="which" .checked=${this.onlySome} @change=${() => this.#chooseSome(true)}> Only these</label>
          ${
            this.onlySome
              ? html`<div class="shops">${(this.shops ?? []).map(({ id, name }) => html`<label class="row"><input type="checkbox" name="shop" value=${id}> ${name}</label>`)}</div>`
              : nothing
          }
        </fieldset>
        <fieldset class="card stack"><legend>What it may read</legend>
          ${reads.map((one) => tool(one, true))}
          <label class="tool"><input type="checkbox" name="customer_data">
            <span><strong>Show it customer data</strong><br><span class="muted">Names, addresses and notes of buyers. They leave for wherever the agent works.</span></span></label>
        </fieldset>
        <fieldset class="card stack"><legend>What it may ask to change</legend>
          <p class="muted">Each change waits under Approvals until a person agrees, unless the app allows it.</p>
          ${changes.map((one) => tool(one, false))}
        </fieldset>
        <fieldset class="card columns"><legend>Budget</legend>
          <div class="field"><label for="calls">Calls an hour</label><input id="calls" name="calls_per_hour" type="number" min="1" max="10000" value="300" required></div>
          <div class="field"><label for="writes">Changes a day</label><input id="writes" name="writes_per_day" type="number" min="0" max="10000" value="20" required></div>
        </fieldset>
        <div class="row">
          <button class="primary">Give access</button>
          <a class="button" href=${request.refuse_url}>Refuse</a>
        </div>
      </form>`
  }

  static override styles = [
    ...Page.styles,
    css`
      fieldset {
        margin: 0;
      }
      legend {
        padding: 0 4px;
        font-weight: 600;
      }
      .tool {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 10px;
        align-items: start;
      }
      .tool .muted {
        font-weight: 400;
      }
      .shops {
        display: grid;
        gap: 8px;
        max-height: 300px;
        overflow: auto;
      }
    `,
  ]
}
define('ep-page-let-in', LetIn)

/** As the program has asked. What is missing is left empty, for the server to say so. */
const askedBy = (query: URLSearchParams) => {
  const word = (name: string) => query.get(name) ?? ''
  return {
    response_type: word('response_type'),
    client_id: word('client_id'),
    redirect_uri: word('redirect_uri'),
    code_challenge: word('code_challenge'),
    code_challenge_method: word('code_challenge_method'),
    resource: word('resource'),
    ...(query.has('state') && { state: word('state') }),
  }
}

async function read(query: URLSearchParams) {
  const [request, apps] = await Promise.all([
    ask(api.GET('/api/2.0/user/agent-request', { params: { query: askedBy(query) } })),
    ask(api.GET('/api/2.0/user/apps', { params: { query: { per_page: 100 } } })),
  ])
  return { request: request.data, apps: apps.data.map(({ id, name }) => ({ id, name })) }
}
