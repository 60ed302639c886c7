import { html, nothing, type TemplateResult } from 'lit'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { badge } from '../../../parts/status.ts'
import { empty, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { formDialog } from '../../ask-form.ts'
import { field, valuesOf } from '../../form.ts'
import { Page } from '../../page.ts'
import { href } from '../../router.ts'
import { may } from '../../session.ts'
import { severityBadge } from './alerts.ts'
import { type Channel, channelFields, choose, severityChoices, typeNames } from './channel-form.ts'

type Data = Awaited<ReturnType<typeof read>>
type Rule = Data['rules'][number]

const channelBadge = ({ active, confirmed_at: confirmed, failing_since: failing }: Channel) => {
  if (!active) return badge('neutral', 'Switched off')
  if (confirmed === null) return badge('notice', 'Not confirmed yet')
  return failing ? badge('critical', 'Failing') : badge('positive', 'Active')
}

/** What counts as an alert, and who is told. */
class AlertSettings extends Page<Data> {
  static override properties = {
    ...Page.properties,
    refusal: { state: true },
    rule: { state: true },
    channel: { state: true },
    kind: { state: true },
    answer: { state: true },
  }
  declare refusal: unknown
  /** Being changed. */
  declare rule: Rule | null
  /** Being changed; `new` is made. */
  declare channel: Channel | 'new' | null
  declare kind: Channel['type']
  /** What the other side said to a test. */
  declare answer: { name: string; delivered: boolean; said: string } | null
  override refreshSeconds = 10

  constructor() {
    super()
    this.refusal = null
    this.rule = null
    this.channel = null
    this.kind = 'email'
    this.answer = null
  }

  override load() {
    return read(this.params['app'] ?? '')
  }

  get #app() {
    return { appId: this.params['app'] ?? '' }
  }

  async #act(work: () => Promise<unknown>, said: string) {
    try {
      await work()
      this.refusal = null
      this.rule = null
      this.channel = null
      toast(said)
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  #saveRule = (form: HTMLFormElement, { kind }: Rule) => {
    const { severity, minimum, minutes } = valuesOf(form)
    const body = {
      active: new FormData(form).has('active'),
      severity: severity as Rule['severity'],
      ...(minimum && { minimum: Number(minimum) }),
      ...(minutes && { minutes: Number(minutes) }),
    }
    const params = { path: { ...this.#app, kind } }
    return this.#act(() => ask(api.PUT('/api/2.0/user/apps/{appId}/alert-rules/{kind}', { params, body })), 'Saved.')
  }

  #saveChannel = (form: HTMLFormElement) => {
    const { type: _, ...values } = valuesOf(form)
    const times = { daily_at: null, quiet_from: null, quiet_to: null }
    const changed = this.channel
    if (changed === 'new' || changed === null) {
      const body = { type: this.kind, ...values } as never
      return this.#act(
        () => ask(api.POST('/api/2.0/user/apps/{appId}/alert-channels', { params: { path: this.#app }, body })),
        this.kind === 'email' ? 'Made. Another mailbox than your own has to agree first.' : 'Made.',
      )
    }
    return this.#change(changed, { ...times, ...values }, 'Saved.')
  }

  #path({ id }: Channel) {
    return { params: { path: { ...this.#app, alertChannel: String(id) } } }
  }

  #change = (channel: Channel, changes: object, said: string) =>
    this.#act(
      () =>
        ask(
          api.PUT('/api/2.0/user/apps/{appId}/alert-channels/{alertChannel}', {
            ...this.#path(channel),
            body: changes as never,
          }),
        ),
      said,
    )

  #test = async (channel: Channel) => {
    try {
      const { data } = await ask(
        api.POST('/api/2.0/user/apps/{appId}/alert-channels/{alertChannel}/test', this.#path(channel)),
      )
      this.answer = { name: channel.name, ...data }
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  #remove = (channel: Channel) =>
    this.#act(
      () => ask(api.DELETE('/api/2.0/user/apps/{appId}/alert-channels/{alertChannel}', this.#path(channel))),
      'Deleted.',
    )

  override show({ rules, channels }: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    return html`<div class="bar"><h1>Rules and channels</h1><a class="button" href=${href(`/apps/${app}/alerts`)}>${icon('back')}Alerts</a></div>
      ${this.refusal && !this.rule && !this.channel ? problem(this.refusal) : nothing}
      ${this.#channels(channels)}
      ${this.#rules(rules)}
      ${this.#dialogs()}`
  }

  #channels(channels: readonly Channel[]): TemplateResult {
    const mayChange = may(this.me, 'manage-access', this.params['app'] ?? '')
    const add = mayChange
      ? html`<button class="primary" @click=${() => {
          this.refusal = null
          this.kind = 'email'
          this.channel = 'new'
        }}>${icon('plus')}New channel</button>`
      : nothing
    return html`<div class="bar"><h2>Channels</h2>${channels.length > 0 ? add : nothing}</div>
      ${
        this.answer
          ? html`<p role="status">${badge(this.answer.delivered ? 'positive' : 'critical', this.answer.delivered ? 'Delivered' : 'Not delivered')} ${this.answer.name}: ${this.answer.said}</p>`
          : nothing
      }
      ${table({
        caption: 'Channels',
        rows: channels,
        empty: empty(
          'Nobody is told yet',
          'Alerts are shown in the console. A channel sends them by mail, to a chat or a pager.',
          add,
        ),
        columns: [
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Kind', cell: ({ type }) => typeNames[type], wide: true },
          { head: 'To', cell: ({ hint }) => hint, wide: true },
          { head: 'Minimum severity', cell: ({ severity }) => severityBadge(severity), wide: true },
          {
            head: 'Status',
            cell: (channel) =>
              html`${channelBadge(channel)}${channel.last_error ? html`<br /><span class="muted small">${channel.last_error}</span>` : channel.last_sent_at ? html`<br /><span class="muted small">Sent ${time(channel.last_sent_at)}</span>` : nothing}`,
          },
          { head: 'Actions', actions: true, cell: (channel) => (mayChange ? this.#buttons(channel) : nothing) },
        ],
      })}`
  }

  #buttons(channel: Channel): TemplateResult {
    return html`<span class="row">
      <button @click=${() => void this.#test(channel)}>Send a test</button>
      <button @click=${() => {
        this.refusal = null
        this.kind = channel.type
        this.channel = channel
      }}>Change</button>
      <button @click=${() => void this.#change(channel, { active: !channel.active }, channel.active ? 'Switched off.' : 'Switched on.')}>${channel.active ? 'Switch off' : 'Switch on'}</button>
      <button @click=${() => void this.#remove(channel)}>Delete</button>
    </span>`
  }

  #rules(rules: readonly Rule[]): TemplateResult {
    const mayChange = may(this.me, 'update-app', this.params['app'] ?? '')
    return html`<h2>Rules</h2>
      ${table({
        caption: 'Rules',
        rows: rules,
        empty: nothing as never,
        columns: [
          { head: 'What', cell: ({ name }) => name },
          { head: 'Severity', cell: ({ severity }) => severityBadge(severity) },
          { head: 'Threshold', cell: threshold, wide: true },
          {
            head: 'Status',
            cell: ({ active }) => (active ? badge('positive', 'On') : badge('neutral', 'Off')),
          },
          {
            head: 'Actions',
            actions: true,
            cell: (rule) =>
              mayChange
                ? html`<button @click=${() => {
                    this.refusal = null
                    this.rule = rule
                  }}>Change</button>`
                : nothing,
          },
        ],
      })}`
  }

  #dialogs(): TemplateResult {
    const { rule, channel } = this
    const close = () => {
      this.rule = null
      this.channel = null
    }
    return html`${formDialog({
      heading: rule?.name ?? 'Rule',
      open: rule !== null,
      failure: this.refusal,
      action: 'Save',
      onSubmit: async (form) => rule && (await this.#saveRule(form, rule)),
      onClose: close,
      fields: rule
        ? html`<label class="row"><input type="checkbox" name="active" ?checked=${rule.active} />Counts as an alert</label>
          ${choose('severity', 'Severity', severityChoices, rule.severity)}
          ${rule.minimum === null ? nothing : field({ name: 'minimum', label: 'From how many on', type: 'number', value: String(rule.minimum), failure: this.refusal })}
          ${rule.minutes === null ? nothing : field({ name: 'minutes', label: 'Minutes for which it has to be so', value: String(rule.minutes), failure: this.refusal })}`
        : html``,
    })}
    ${formDialog({
      heading: channel === 'new' || channel === null ? 'New channel' : channel.name,
      open: channel !== null,
      failure: this.refusal,
      action: 'Save',
      onSubmit: (form) => this.#saveChannel(form),
      onClose: close,
      fields:
        channel === null
          ? html``
          : channelFields({
              type: this.kind,
              channel: channel === 'new' ? null : channel,
              failure: this.refusal,
              onType: (type) => {
                this.kind = type as Channel['type']
              },
            }),
    })}`
  }
}
define('ep-page-alert-settings', AlertSettings)

function threshold({ minimum, minutes, integration_ids: shops }: Rule): string {
  const parts = [
    ...(minimum !== null && minimum > 1 ? [`${minimum} or more`] : []),
    ...(minutes ? [`after ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`] : []),
    ...(shops ? [`in ${shops.length} ${shops.length === 1 ? 'shop' : 'shops'}`] : []),
  ]
  return parts.length === 0 ? 'None' : parts.join(', ')
}

async function read(app: string) {
  const path = { appId: app }
  const [rules, channels] = await Promise.all([
    ask(api.GET('/api/2.0/user/apps/{appId}/alert-rules', { params: { path } })),
    ask(api.GET('/api/2.0/user/apps/{appId}/alert-channels', { params: { path, query: { per_page: 100 } } })),
  ])
  return { rules: rules.data, channels: channels.data }
}
