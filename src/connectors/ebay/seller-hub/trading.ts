import type { AnswerReading } from '../../../commerce/connector/remote-rules.ts'
import { type Fields, isFields, maybeText } from '../../../commerce/reading.ts'
import { type RemoteAnswer, refused, shopAway } from '../../../commerce/remote.ts'
import { parseXml } from '../../../commerce/wire/parse-xml.ts'
import { say } from '../../../commerce/words/say.ts'
import type { EbayShop } from '../settings.ts'

/** The Trading API: one address for all, XML both ways, and tokens in a header of its own. */
export const tradingPath = '/ws/api.dll'

type Content = string | number | { readonly [name: string]: Content | readonly Content[] }

/** Asks by one of its calls. What it says no to is told with status 200. */
export async function trade(
  shop: EbayShop,
  call: string,
  content: { readonly [name: string]: Content | readonly Content[] },
): Promise<Fields & { isDone: boolean }> {
  const answer = await shop.remote.request({
    method: 'POST',
    path: tradingPath,
    budget: 'trading',
    headers: {
      ...{ accept: 'text/xml', 'content-type': 'text/xml' },
      'x-ebay-api-call-name': call,
      'x-ebay-api-compatibility-level': '1423',
      // The site says only in which language errors come.
      'x-ebay-api-siteid': '0',
    },
    body: `<?xml version="1.0" encoding="utf-8"?><${call}Request xmlns="urn:ebay:apis:eBLBaseComponents">${xmlOf(content)}</${call}Request>`,
    repeatable: true,
  })
  const reported = rootOf(answer)?.[`${call}Response`]
  if (!isFields(reported)) throw shopAway(60)
  return { ...reported, isDone: ['Success', 'Warning'].includes(maybeText(reported, 'Ack') ?? '') }
}

export function refusalIn(reported: Fields) {
  const serious = manyIn(reported, 'Errors').find((error) => error['SeverityCode'] !== 'Warning') ?? {}
  return refused(
    maybeText(serious, 'LongMessage') ?? maybeText(serious, 'ShortMessage') ?? say('rejected_by', { platform: 'eBay' }),
  )
}

const xmlOf = (content: Content | readonly Content[]): string => {
  if (typeof content !== 'object') return escaped(String(content))
  return Object.entries(content)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => `<${name}>${xmlOf(one)}</${name}>`),
    )
    .join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

function rootOf({ body }: RemoteAnswer): Fields | null {
  return typeof body === 'string' && body.trimStart().startsWith('<') ? parseXml(body) : null
}

/** One or several stand in the same way. */
export const manyIn = (fields: Fields, name: string): Fields[] => [fields[name] ?? []].flat().filter(isFields)

/** What is within a tag; nothing where it is empty, or not there. */
export function partIn(fields: Fields, name: string): Fields {
  const { [name]: part } = fields
  return isFields(part) ? part : {}
}

/** Tokens that are over, or none; and more calls than the app has in a day. */
const unauthorized = ['931', '932', '16110', '21916984', '21917053']
const throttled = ['518', '21919144']

export function readTrading(answer: RemoteAnswer): AnswerReading {
  const [response] = Object.values(rootOf(answer) ?? {}).filter(isFields)
  const codes = response?.['Ack'] === 'Failure' ? manyIn(response, 'Errors').map((error) => error['ErrorCode']) : []
  if (codes.some((code) => unauthorized.includes(String(code)))) return { verdict: 'unauthorized' }
  return codes.some((code) => throttled.includes(String(code))) ? { verdict: 'throttled' } : {}
}
