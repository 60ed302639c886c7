import type { AttentionKind } from '../../attention/attention.ts'
import { sayAttention } from '../../attention/words.ts'
import { asName, type Letter } from '../../mail/letter.ts'
import type { Alert } from '../alert.ts'

/** What an app says to its merchants by letter, and of what. */
export interface LetterTemplate {
  active: boolean
  kinds: AttentionKind[]
  subject: string
  body: string
}

/** What a merchant can do something about. */
export const merchantKinds = [
  'integration_error',
  'consent_ends',
  'orders_due',
  'acknowledgements_due',
  'installation_unfinished',
] as const satisfies readonly AttentionKind[]

export const placeholders = ['app', 'merchant', 'shops', 'problems'] as const
type Placeholder = (typeof placeholders)[number]

export const usualTemplate: LetterTemplate = {
  active: false,
  kinds: ['integration_error', 'consent_ends'],
  subject: '{app}: something needs you in {shops}',
  body: 'Hello {merchant},\n\nsomething in your shop needs you:\n\n{problems}\n\nPlease open {app} to put it right.',
}

/** Names in the template that nothing stands for. */
export const unknownNames = (text: string): string[] =>
  [...text.matchAll(/\{(\w*)\}/g)].flatMap(([, name = '']) =>
    placeholders.some((known) => known === name) ? [] : [name],
  )

interface Reader {
  app: string
  merchant: string | null
  alerts: readonly Alert[]
}

const maxNamed = 10

/** The letter to one merchant. Whatever is put in is text: it stands for itself, also where it looks like a placeholder. */
export function letterFrom(
  { subject, body }: Pick<LetterTemplate, 'subject' | 'body'>,
  { app, merchant, alerts }: Reader,
  { to, endUrl }: { to: string; endUrl: string },
): Letter {
  const shops = [...new Set(alerts.map((alert) => asName(alert.integration_name ?? '')))]
  const named = alerts
    .slice(0, maxNamed)
    .map((alert) => `${asName(alert.integration_name ?? '')}: ${sayAttention(alert)}`)
  const more = alerts.length - named.length
  const values: Readonly<Record<Placeholder, string>> = {
    app: asName(app),
    merchant: asName(merchant ?? 'there'),
    shops: shops.length > 3 ? `${shops.length} shops` : shops.join(', '),
    problems: [...named, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n\n'),
  }
  const filled = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const known = placeholders.find((one) => one === name)
      return known ? values[known] : whole
    })
  return {
    to,
    subject: filled(subject),
    paragraphs: filled(body)
      .split(/\n{2,}/)
      .filter((paragraph) => paragraph.trim() !== ''),
    small: [`Sent for ${asName(app)}. No more of these letters: ${endUrl}`],
  }
}
