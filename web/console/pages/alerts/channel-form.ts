import { html, type TemplateResult } from 'lit'
import type { paths } from '../../../lib/api-types.gen.ts'
import { field } from '../../form.ts'

/** What a channel is made of. */

type Listed = paths['/api/2.0/user/apps/{appId}/alert-channels']['get']['responses'][200]['content']['application/json']
export type Channel = Listed['data'][number]

export const typeNames: Readonly<Record<Channel['type'], string>> = {
  email: 'E-mail',
  slack: 'Chat (Slack-compatible)',
  pagerduty: 'Pager (PagerDuty-compatible)',
}

const addresses: Readonly<Record<Channel['type'], { label: string; help: string }>> = {
  email: { label: 'Mailbox', help: 'Another mailbox than your own has to agree, by a link that is sent there.' },
  slack: { label: 'Address of the incoming webhook', help: 'Kept sealed. It is not shown again.' },
  pagerduty: { label: 'Routing key', help: 'Kept sealed. It is not shown again.' },
}

const severities = [
  ['critical', 'Critical only'],
  ['warning', 'Warnings and critical'],
  ['info', 'Everything'],
] as const

const option = (value: string, label: string, chosen: string) =>
  html`<option value=${value} ?selected=${value === chosen}>${label}</option>`

export const choose = (
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
  onChange?: (value: string) => void,
): TemplateResult => html`<div class="field">
  <label for=${name}>${label}</label>
  <select id=${name} name=${name} @change=${(event: Event) => onChange?.((event.target as HTMLSelectElement).value)}>
    ${options.map(([value, text]) => option(value, text, chosen))}
  </select>
</div>`

export const severityChoices = [
  ['critical', 'Critical'],
  ['warning', 'Warning'],
  ['info', 'Info'],
] as const

interface Asked {
  type: Channel['type']
  channel: Channel | null
  failure: unknown
  onType: (type: string) => void
}

export function channelFields({ type, channel, failure, onType }: Asked): TemplateResult {
  const { label, help } = addresses[type]
  const zone = channel?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const clock = (name: 'quiet_from' | 'quiet_to' | 'daily_at', text: string) =>
    field({ name, label: text, required: false, failure, value: channel?.[name] ?? '', placeholder: '22:00' })
  return html`${channel ? '' : choose('type', 'Kind', Object.entries(typeNames), type, onType)}
    ${field({ name: 'name', label: 'Name', failure, value: channel?.name ?? '' })}
    ${field({ name: 'address', label, help: channel ? `${help} Empty: it stays (${channel.hint}).` : help, failure, required: channel === null })}
    ${type === 'pagerduty' ? field({ name: 'url', label: 'Where it takes events', type: 'url', required: false, failure, help: 'PagerDuty itself, if empty.' }) : ''}
    ${choose('severity', 'Send', severities, channel?.severity ?? 'warning')}
    ${choose(
      'delivery',
      'When',
      [
        ['immediate', 'At once, grouped'],
        ['daily', 'Once a day'],
      ],
      channel?.delivery ?? 'immediate',
    )}
    ${clock('daily_at', 'Time of the daily message')}
    ${clock('quiet_from', 'Quiet from')}
    ${clock('quiet_to', 'Quiet until')}
    ${field({ name: 'time_zone', label: 'Time zone', failure, value: zone })}`
}
