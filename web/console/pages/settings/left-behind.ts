import { html, nothing, type TemplateResult } from 'lit'
import { table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { type Me, may } from '../../session.ts'

type LeftBehind = Awaited<ReturnType<typeof readLeftBehind>>[number]

export const readLeftBehind = async () => (await ask(api.GET('/api/2.0/user/left-behind'))).data

const words: Readonly<Record<LeftBehind['kind'], string>> = {
  client: 'Client',
  webhook: 'Webhook',
  gateway_key: 'Gateway key',
}

/** What those who left have made, and the two things to do about it. */
export const leftBehindList = (
  left: readonly LeftBehind[],
  me: Me,
  act: (work: () => Promise<unknown>) => void,
): TemplateResult => {
  const revoke = async () => {
    const { data } = await ask(api.POST('/api/2.0/user/left-behind/revoke', { body: {} }))
    toast(`${data.length} revoked.`)
  }
  const keep = async () => {
    await ask(api.POST('/api/2.0/user/left-behind/take-over', { body: { keep_secrets: true } }))
    toast('You answer for them from now on.')
  }
  return html`<section class="stack"><div class="bar"><h2>Left behind</h2>
      <div>
        ${may(me, 'update-client') ? html`<button @click=${() => act(keep)}>Take over, secrets stay</button>` : nothing}
        ${may(me, 'manage-access') ? html`<button class="critical" @click=${() => act(revoke)}>Revoke all</button>` : nothing}
      </div>
    </div>
    <p class="muted">Created by people who have left or are locked out. Their clients get no tokens until you take them over, and whoever left may still know the secrets: revoke what nobody needs.</p>
    ${table({
      caption: 'Left behind',
      rows: left,
      empty: html``,
      columns: [
        { head: 'What', cell: ({ kind }) => words[kind] },
        { head: 'Name', cell: ({ name }) => name },
        { head: 'Created by', cell: ({ user_name: name }) => name },
        { head: 'Created', cell: ({ created_at: at }) => time(at), wide: true },
      ],
    })}
  </section>`
}
