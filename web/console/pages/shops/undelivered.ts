import { html } from 'lit'
import type { paths } from '../../../lib/api-types.gen.ts'
import { define } from '../../../parts/element.ts'
import { settled } from '../../../parts/settled.ts'
import { badge, type Tone } from '../../../parts/status.ts'
import { empty } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { api, asApp, ask } from '../../api.ts'
import { AcrossPage, type Bulk, type ListColumn, shopColumn } from '../../lists/across-page.ts'
import { inWords } from '../../order-state.ts'
import { changeQuery, href } from '../../router.ts'
import { may } from '../../session.ts'
import { showAll } from '../../show-all.ts'

type Message =
  paths['/api/2.0/user/apps/{appId}/messages']['get']['responses'][200]['content']['application/json']['data'][number]

const tones: Readonly<Record<string, Tone>> = { failed: 'critical', stored: 'positive', acted: 'positive' }

export const messageTone = (outcome: string): Tone => tones[outcome] ?? 'neutral'

/** What shops have told us, first of all what could not be processed, and the button that tries again. */
class Messages extends AcrossPage<Message> {
  override refreshSeconds = 5
  override heading = 'Messages'
  override file = 'messages' as const
  override filters = ['outcome']
  override intro =
    html`What shops have told us. Each message is kept until it has been processed; those that failed come first, with the reason.`

  override read(query: Readonly<Record<string, string | number>>) {
    const params = { path: { appId: this.app }, query: query as never }
    return ask(api.GET('/api/2.0/user/apps/{appId}/messages', { params }))
  }

  get #outcome(): string {
    return this.query.get('outcome') ?? 'failed'
  }

  /** Failed ones unless the address says otherwise. */
  override asked() {
    const { outcome: _, ...others } = super.asked()
    return { ...others, ...(this.#outcome !== 'all' && { outcome: this.#outcome }) }
  }

  override link({ id, integration }: Message) {
    return href(`/apps/${this.app}/integrations/${integration.id}/messages/${id}`)
  }

  override columns(): readonly ListColumn<Message>[] {
    return [
      {
        head: 'Message',
        cell: ({ topic, id }) => topic ?? `message ${id}`,
        csv: ({ topic, id }) => topic ?? `message ${id}`,
      },
      {
        head: 'Outcome',
        cell: ({ outcome }) => badge(messageTone(outcome ?? ''), inWords(outcome ?? 'waiting')),
        csv: ({ outcome }) => inWords(outcome ?? 'waiting'),
      },
      shopColumn(),
      {
        head: 'About',
        cell: ({ kind, remote_id: remoteId }) => (kind ? html`${kind} <code>${remoteId}</code>` : ''),
        csv: ({ kind, remote_id: remoteId }) => (kind ? `${kind} ${remoteId}` : ''),
        wide: true,
      },
      { head: 'Reason', cell: ({ error }) => error ?? '', csv: ({ error }) => error, wide: true },
      { head: 'Received', cell: ({ received_at: at }) => time(at), csv: ({ received_at: at }) => at },
    ]
  }

  override filterFields() {
    const outcome = this.#outcome
    const option = (value: string, text: string) =>
      html`<option value=${value} .selected=${value === outcome}>${text}</option>`
    return html`<label class="row">Outcome
      <select ${settled((value) => changeQuery({ outcome: value, after: null }))}>
        ${option('failed', 'Failed')}${option('waiting', 'Waiting')}${option('all', 'All')}
      </select>
    </label>`
  }

  override bulks(): readonly Bulk<Message>[] {
    if (!may(this.me, 'run-action', this.app)) return []
    return [
      {
        label: 'Try again',
        name: 'retry',
        question: (n) => (n === 1 ? 'Try the failed message again?' : `Try ${n} failed messages again?`),
        able: ({ outcome }) => outcome !== null,
        act: ({ integration, id }) =>
          ask(
            asApp(this.app).POST('/api/2.0/app/integrations/{integrationId}/deliveries/{delivery}/replay', {
              params: { path: { integrationId: String(integration.id), delivery: String(id) } },
            }),
          ),
        done: (n) => (n === 1 ? 'The message is processed again.' : `${n} messages are processed again.`),
      },
    ]
  }

  override nothingHere() {
    const outcome = this.#outcome
    return outcome === 'all'
      ? empty('No shop has sent a message', 'If a platform sends no messages, Entrepot checks its shops on a schedule.')
      : empty(
          outcome === 'failed' ? 'Nothing has failed' : 'Nothing is waiting',
          outcome === 'failed' ? 'Every message of the shops has been processed.' : 'All messages have been processed.',
          showAll({ outcome: 'all', after: null }),
        )
  }
}
define('ep-page-undelivered', Messages)
