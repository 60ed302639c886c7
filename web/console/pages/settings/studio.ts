import { html, nothing, type TemplateResult } from 'lit'
import { define } from '../../../parts/element.ts'
import { problem } from '../../../parts/problem.ts'
import { badge } from '../../../parts/status.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { field, isGeneral, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { href, navigate } from '../../router.ts'
import './studio-compare.ts'
import { firstDraft, keysOf, lineOf, readDraft, type Tree, valueAt, withPlace } from './draft.ts'
import { draftNotice, keepDraft, keptDraft } from './studio-draft.ts'
import { outlined, outlinedBy, outlineFields } from './studio-outline.ts'
import {
  after,
  mistakesList,
  type Report,
  type Sample,
  type Suggested,
  stepsCard,
  suggestionsCard,
  tryDraft,
} from './studio-report.ts'
import { studioStyles } from './studio-styles.ts'
import {
  readVersion,
  readVersions,
  restoreVersion,
  type Version,
  versionsCard,
  type WholeVersion,
} from './studio-versions.ts'

type Data = Awaited<ReturnType<typeof read>>

/** How long after the last key a description is read again. */
const settleMs = 800

/** A service of the tenant's own, described beside its own records: what is typed here is seen there. */
class Studio extends Page<Data> {
  static override properties = {
    ...Page.properties,
    refusal: { state: true },
    text: { state: true },
    report: { state: true },
    shownPart: { state: true },
    busy: { state: true },
    version: { state: true },
    isKept: { state: true },
  }
  declare refusal: unknown
  declare text: string
  declare report: Report | null
  /** Which of the samples is looked at: it is read again while somebody types, and no shop is asked for that. */
  declare shownPart: string
  declare busy: boolean
  /** One that is looked at, beside what is published. */
  declare version: WholeVersion | null
  /** Whether it began with what was left here. */
  declare isKept: boolean
  #timer: ReturnType<typeof setTimeout> | undefined
  #turn = 0

  constructor() {
    super()
    this.refusal = null
    this.text = ''
    this.report = null
    this.shownPart = 'orders'
    this.busy = false
    this.version = null
    this.isKept = false
  }

  override async load() {
    const data = await read(this.params['service'] ?? 'new')
    if (this.text === '') {
      const kept = keptDraft(this.me.id, this.#place)
      this.isKept = kept !== null && kept !== publishedText(data)
      this.text = kept ?? publishedText(data)
    }
    return data
  }

  get #place(): string {
    return this.params['service'] ?? 'new'
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    super.updated(changed)
    if (!changed.has('text') || !this.data) return
    keepDraft(this.me.id, this.#place, this.text === publishedText(this.data) ? null : this.text)
  }

  #discard = () => {
    if (this.data) this.text = publishedText(this.data)
    this.isKept = false
    void this.#tryAgain()
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  #typed = (event: InputEvent) => {
    this.text = event.target instanceof HTMLTextAreaElement ? event.target.value : this.text
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#tryAgain(), settleMs)
  }

  get #sample(): Sample | null {
    const samples = this.report?.samples ?? []
    return samples.find(({ part }) => part === this.shownPart) ?? samples[0] ?? null
  }

  /** With the record that is there already, as often as somebody likes. */
  async #tryAgain() {
    const { definition } = readDraft(this.text)
    // Whoever waits for the shop gets its answer.
    if (!definition || this.busy) return
    const sample = this.#sample
    const own = sample ? { record: Object(sample.theirs), part: sample.part } : { record: {} }
    await this.#run({ definition, ...own }, false)
  }

  #look = (part: string) => {
    this.shownPart = part
    void this.#tryAgain()
  }

  #fetch = (whole: boolean) => {
    const { definition } = readDraft(this.text)
    const form = this.renderRoot.querySelector('form')
    if (!definition || !form) return
    const typed = Object.entries(valuesOf(form)).filter(([name]) => !name.startsWith(outlined))
    const { base_url, shop, ...credentials } = Object.fromEntries(typed)
    clearTimeout(this.#timer)
    const reach = { ...(shop && { shop }), settings: base_url ? { base_url } : {}, credentials }
    void this.#run({ definition, ...reach, whole }, true)
  }

  async #run(body: Parameters<typeof tryDraft>[0], shows: boolean) {
    const turn = ++this.#turn
    this.busy = shows
    try {
      const { data } = await tryDraft(body)
      if (turn !== this.#turn) return
      this.refusal = null
      this.report = shows ? data : after(this.report, data)
    } catch (error) {
      if (turn === this.#turn) this.refusal = error
    }
    this.busy = false
  }

  #use = ({ at, value }: Suggested) => {
    const { definition } = readDraft(this.text)
    if (definition) this.#replace(withPlace(definition, at.split('.'), value))
  }

  #useAll = () => {
    const { definition } = readDraft(this.text)
    if (!definition) return
    this.#replace(
      this.#open(definition).reduce((tree, { at, value }) => withPlace(tree, at.split('.'), value), definition),
    )
  }

  /** What was said in the form stands in the description. */
  #outline = (at: readonly string[], value: string) => {
    const { definition } = readDraft(this.text)
    if (!definition) return
    this.text = JSON.stringify(outlinedBy(definition, at, value), null, 2)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#tryAgain(), settleMs)
  }

  #replace(definition: Tree) {
    this.text = JSON.stringify(definition, null, 2)
    void this.#tryAgain()
  }

  #open(definition: Tree) {
    return (this.report?.suggestions ?? []).filter(({ at }) => valueAt(definition, at.split('.')) === undefined)
  }

  #publish = async (event: SubmitEvent) => {
    event.preventDefault()
    const { definition } = readDraft(this.text)
    const { service } = this.data ?? {}
    if (!definition || !(event.target instanceof HTMLFormElement)) return
    const { type = '', name = '' } = valuesOf(event.target)
    this.refusal = null
    try {
      const params = { path: { service: String(service?.id) } }
      const saved = service
        ? await ask(api.PUT('/api/1.0/services/{service}', { params, body: { name, definition } }))
        : await ask(api.POST('/api/1.0/services', { body: { type, name, definition } }))
      toast('The service has been published.')
      keepDraft(this.me.id, this.#place, null)
      this.version = null
      this.isKept = false
      if (service) await this.reload()
      else navigate(`/own-services/${saved.data.id}`)
    } catch (error) {
      this.refusal = error
    }
  }

  #lookAt = async ({ number }: Version) => {
    await this.#attempt(async () => {
      this.version = await readVersion(String(this.data?.service?.id), number)
    })
  }

  #restore = async ({ number, definition }: WholeVersion) => {
    await this.#attempt(async () => {
      await restoreVersion(String(this.data?.service?.id), number)
      toast(`Version ${number} has been published again.`)
      this.version = null
      this.#replace(definition)
      await this.reload()
    })
  }

  async #attempt(work: () => Promise<void>) {
    this.refusal = null
    try {
      await work()
    } catch (error) {
      this.refusal = error
    }
  }

  #import = async (event: Event) => {
    const file = event.target instanceof HTMLInputElement ? event.target.files?.[0] : undefined
    if (!file) return
    const { definition, problem: wrong } = readDraft(await file.text())
    if (!definition) return toast(wrong ?? 'This is no JSON.')
    if (definition['paths'] === undefined) return this.#replace(definition)
    try {
      const { data } = await ask(api.POST('/api/2.0/user/services/draft', { body: { document: definition } }))
      toast(
        data.found.length === 0
          ? 'No list of the document looks like orders or products.'
          : `Found: ${data.found.map(({ part }) => part).join(', ')}.`,
      )
      this.#replace(data.definition)
    } catch (error) {
      this.refusal = error
    }
  }

  #export = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([this.text], { type: 'application/json' }))
    link.download = `${this.data?.service?.type ?? 'service'}.json`
    link.click()
    URL.revokeObjectURL(link.href)
  }

  override show({ service, versions }: Data): TemplateResult {
    const { definition, problem: wrong } = readDraft(this.text)
    return html`<p><a href=${href('/own-services')}>Own services</a></p>
      <div class="bar"><div><h1>${service ? service.name : 'New service'}</h1>${this.#verdict()}</div>
        <div>
          <label class="button">Import<input class="file" type="file" accept="application/json,.json" @change=${this.#import} /></label>
          <button type="button" @click=${this.#export}>Export</button>
        </div>
      </div>
      ${this.isKept ? draftNotice(this.#discard) : nothing}
      ${isGeneral(this.refusal) ? problem(this.refusal) : nothing}
      ${this.#reach(definition)}
      <div class="work">
        <section class="card stack" aria-labelledby="description"><h2 id="description">Description</h2>
          <textarea spellcheck="false" aria-label="Description as JSON" aria-describedby="mistakes" .value=${this.text} @input=${this.#typed}></textarea>
          ${mistakesList(this.report?.mistakes ?? [], { wrong, text: this.text, goTo: (at) => this.#goTo(at) })}
        </section>
        <section class="card stack" aria-labelledby="theirs"><h2 id="theirs">Your record</h2>
          ${this.#choice()}
          ${this.#sample ? html`<pre tabindex="0">${JSON.stringify(this.#sample.theirs, null, 2)}</pre>` : html`<p class="muted">Say where the shop answers, then fetch a sample.</p>`}
        </section>
        <section class="card stack" aria-labelledby="ours" aria-live="polite"><h2 id="ours">What we make of it</h2>${this.#ours()}</section>
      </div>
      ${definition ? suggestionsCard(this.#open(definition), { use: this.#use, useAll: this.#useAll }) : nothing}
      ${this.report ? stepsCard(this.report) : nothing}
      ${service ? html`<section class="card stack" aria-labelledby="compare"><h2 id="compare">What it would change</h2><ep-studio-compare .service=${service.id} .definition=${definition}></ep-studio-compare></section>` : nothing}
      ${this.#publishing(service)}
      ${versionsCard(versions, this.version, { look: this.#lookAt, restore: this.#restore, edit: ({ definition: kept }) => this.#replace(kept) })}`
  }

  #verdict(): TemplateResult | typeof nothing {
    if (!this.report) return nothing
    if (this.report.ok) return badge('positive', 'Complete')
    const count = this.report.mistakes.length
    return count === 0
      ? badge('notice', 'Does not fit yet')
      : badge('notice', count === 1 ? '1 mistake' : `${count} mistakes`)
  }

  #reach(definition: Tree | null): TemplateResult {
    const origin = Object(definition?.['origin'])['from']
    const { refusal: failure } = this
    return html`<form class="card stack" @submit=${(event: Event) => event.preventDefault()}>
      <h2>The shop</h2>
      <div class="columns">
        ${origin === 'setting' ? field({ name: 'base_url', label: 'Address', type: 'url', placeholder: 'https://erp.example/api', help: 'Where its API answers.', failure }) : nothing}
        ${origin === 'shop' ? field({ name: 'shop', label: 'Name of the shop', placeholder: 'acme.example', help: 'As merchants will say it.', failure }) : nothing}
        ${outlineFields(definition, this.#outline)}
        ${keysOf(definition).map(({ name, label, help }) => field({ name, label: label ?? labels[name] ?? name, type: 'password', failure, help: help ?? 'For this trial only; it is not kept.' }))}
      </div>
      <div class="row">
        <button type="button" class="primary" ?disabled=${this.busy || !definition} @click=${() => this.#fetch(false)}>Fetch a sample</button>
        <button type="button" ?disabled=${this.busy || !definition} @click=${() => this.#fetch(true)}>Try everything</button>
        ${this.busy ? html`<span class="muted" role="status">Asking the shop…</span>` : nothing}
      </div>
    </form>`
  }

  #goTo(at: string) {
    const area = this.renderRoot.querySelector('textarea')
    if (!area) return
    const lines = this.text.split('\n')
    const line = lineOf(this.text, at) - 1
    const start = lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0)
    area.focus()
    area.setSelectionRange(start, start + (lines[line]?.length ?? 0))
  }

  #ours(): TemplateResult {
    const sample = this.#sample
    if (!sample) return html`<p class="muted">Nothing yet.</p>`
    return html`${sample.error ? html`<p class="notice failed"><span>${sample.error}</span></p>` : nothing}
      ${sample.fields.length === 0 ? html`<p class="muted">No field is mapped yet. Take up suggestions below, or write them.</p>` : nothing}
      <dl class="fields">${sample.fields.map(
        ({ field: name, place, found }) =>
          html`<dt>${name}</dt><dd class=${found === null ? 'none' : ''}><span>${found === null ? 'nothing' : shown(found)}</span><code>${place}</code></dd>`,
      )}</dl>
      ${sample.ours === null ? nothing : html`<details><summary>As an order, product or level of ours</summary><pre tabindex="0">${JSON.stringify(sample.ours, null, 2)}</pre></details>`}`
  }

  /** Whose record is shown, where several lists were fetched. */
  #choice(): TemplateResult | typeof nothing {
    const samples = this.report?.samples ?? []
    if (samples.length < 2) return nothing
    return html`<div class="row" role="group" aria-label="Record">${samples.map(
      ({ part }) =>
        html`<button type="button" aria-pressed=${part === this.#sample?.part} @click=${() => this.#look(part)}>${partLabels[part]}</button>`,
    )}</div>`
  }

  #publishing(service: Data['service']): TemplateResult {
    const { refusal: failure } = this
    return html`<form class="card stack" @submit=${this.#publish} novalidate>
      <h2>Publish</h2>
      <p class="muted">${this.report?.ok ? 'The description is complete.' : 'Try everything first: a description with mistakes is refused.'} Once published, apps can offer the service, and connected shops are read by it.</p>
      <div class="columns">
        ${field({ name: 'name', label: 'Name', value: service?.name ?? '', help: 'As apps and merchants see it.', failure })}
        ${service ? nothing : field({ name: 'type', label: 'Type', placeholder: 'my-erp', help: 'Unique; cannot be changed.', failure })}
      </div>
      <div class="row"><button class="primary">Publish</button></div>
    </form>`
  }

  static override styles = [...Page.styles, studioStyles]
}
define('ep-page-studio', Studio)

const labels: Readonly<Record<string, string>> = {
  api_key: 'API key',
  token: 'Token',
  username: 'User name',
  password: 'Password',
  client_id: 'Client ID',
  client_secret: 'Client secret',
}

const partLabels = { orders: 'Order', products: 'Product', inventory: 'Stock' } as const

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 120)

const publishedText = ({ service }: Data): string => JSON.stringify(service?.definition ?? firstDraft, null, 2)

async function read(service: string) {
  if (service === 'new') return { service: null, versions: [] }
  const params = { path: { service } }
  const [{ data }, versions] = await Promise.all([
    ask(api.GET('/api/1.0/services/{service}', { params })),
    readVersions(service),
  ])
  return { service: data, versions }
}
