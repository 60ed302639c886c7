import { html, nothing, type TemplateResult } from 'lit'
import { buttons, fields } from '../../../design/tokens.ts'
import { oneAtATime } from '../../../lib/overlaps.ts'
import { copy } from '../../../parts/copy.ts'
import { define, Element } from '../../../parts/element.ts'
import { problem, problems } from '../../../parts/problem.ts'
import { asApp, ask } from '../../api.ts'
import { field, isGeneral, valuesOf } from '../../form.ts'

type Entered = Awaited<ReturnType<typeof enter>>

/** What somebody enters in the shop, so that it sends messages: shown on demand, since a secret is part of it. */
class MessageAddress extends Element {
  static override properties = {
    app: { attribute: false },
    integration: { attribute: false },
    entered: { state: true },
    refusal: { state: true },
  }
  declare app: string
  declare integration: number
  declare entered: Entered | null
  declare refusal: unknown

  constructor() {
    super()
    this.app = ''
    this.integration = 0
    this.entered = null
    this.refusal = null
  }

  /** Of two secrets made at once the one that is shown might not be the one that counts. */
  #ask = oneAtATime(async (body: { secret?: string; renew?: boolean }) => {
    this.refusal = null
    try {
      this.entered = await enter(this.app, this.integration, body)
    } catch (error) {
      this.refusal = error
    }
  })

  override render(): TemplateResult {
    const { entered, refusal } = this
    return html`${isGeneral(refusal) ? problem(refusal) : nothing}
      ${entered ? this.#shown(entered) : html`<button type="button" @click=${() => this.#ask({})}>Show what to enter in the shop</button>`}`
  }

  #shown({ address, secret, secret_from: from, ready, topics }: Entered): TemplateResult {
    return html`<div class="stack">
      <p>Enter this address in the shop, for ${
        topics
          .flatMap(({ theirs }) => theirs)
          .filter((name) => name !== '*')
          .join(', ') || 'all messages'
      }.</p>
      <p>${copy(address)}</p>
      ${from === 'ours' ? html`<p>The secret that it signs with:</p><p>${copy(secret ?? '')}</p><p><button type="button" @click=${() => this.#ask({ renew: true })}>Create another secret</button></p>` : this.#theirs(ready)}
    </div>`
  }

  #theirs(ready: boolean): TemplateResult {
    return html`<form class="stack" @submit=${(event: SubmitEvent) => {
      event.preventDefault()
      const { secret = '' } = valuesOf(event.target as HTMLFormElement)
      void this.#ask({ secret })
    }}>
      <p class="muted">${ready ? 'There is a secret. Another one takes its place.' : 'Until the secret is here, its messages are refused.'}</p>
      ${field({ name: 'secret', label: 'Secret', type: 'password', help: 'As the shop shows it for this address.', failure: this.refusal })}
      <div><button class="primary">Keep the secret</button></div>
    </form>`
  }

  static override styles = [...Element.styles, buttons, fields, problems]
}
define('ep-message-address', MessageAddress)

const enter = async (app: string, id: number, body: { secret?: string; renew?: boolean }) => {
  const params = { path: { integrationId: String(id) } }
  const answer = await ask(
    asApp(app).PUT('/api/2.0/app/integrations/{integrationId}/message-address', { params, body }),
  )
  return answer.data
}
