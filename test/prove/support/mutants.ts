import type { ConnectorWebhooks, Delivery, WebhookSecrets } from '../../../src/commerce/connector/webhooks.ts'
import type { Lots } from '../../support/chance.ts'

/** A message that somebody has tampered with, or sends to where it does not belong. */
export interface Mutant {
  how: string
  delivery: Delivery
  /** Where it is sent to; where it belongs by default. */
  to: 'here' | 'another account' | 'another shop' | 'another tenant'
}

function withBitFlipped(lots: Lots, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const at = lots.below(copy.length)
  copy[at] = (copy[at] ?? 0) ^ (1 << lots.below(8))
  return copy
}

/** A header can hold no control characters, so one of its letters becomes another. */
function withLetterChanged(lots: Lots, text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='
  const at = lots.below(text.length)
  const others = [...letters].filter((letter) => letter !== text[at])
  return text.slice(0, at) + lots.pick(others) + text.slice(at + 1)
}

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))

/** The headers without which it is not believed: what proves where it comes from. */
export const proofsIn = (webhooks: ConnectorWebhooks, delivery: Delivery, secrets: WebhookSecrets): string[] =>
  Object.keys(delivery.headers).filter((name) => {
    const { [name]: _, ...headers } = delivery.headers
    return !believed(webhooks, { ...delivery, headers }, secrets)
  })

function believed(webhooks: ConnectorWebhooks, delivery: Delivery, secrets: WebhookSecrets): boolean {
  try {
    return webhooks.verify(delivery, secrets)
  } catch {
    return false
  }
}

interface Tampering {
  /** The headers to tamper with; a platform that signs in the body has none. */
  proofs: readonly string[]
  theirs: readonly Delivery[]
  signsForAll: boolean
  /** Nothing vouches for the body, so changing it proves nothing. */
  unsigned: boolean
}

export function mutate(lots: Lots, delivery: Delivery, { proofs, theirs, signsForAll, unsigned }: Tampering): Mutant {
  const here = (how: string, changed: Partial<Delivery>): Mutant => ({
    how,
    delivery: { ...delivery, ...changed },
    to: 'here',
  })
  const header = (how: string, change: (value: string) => string | null): (() => Mutant) => {
    return () => {
      const name = lots.pick(proofs)
      const { [name]: value = '', ...rest } = delivery.headers
      const mutated = change(value)
      // Digits have no case: what would change nothing changes a letter instead.
      const changed = mutated === value ? letterChanged(value) : mutated
      return here(`${how} of ${name}`, { headers: changed === null ? rest : { ...rest, [name]: changed } })
    }
  }
  const letterChanged = (value: string) => withLetterChanged(lots, value)
  const { raw } = delivery
  const ofBody: (() => Mutant)[] = [
    () => here('a bit of the body', { raw: withBitFlipped(lots, raw) }),
    () => here('a bit of the body', { raw: withBitFlipped(lots, raw) }),
    () => here('the end of the body', { raw: raw.subarray(0, raw.length - 1) }),
    () => here('more body', { raw: Buffer.concat([raw, Buffer.from(lots.pick([' ', '\n', '\0', '}']))]) }),
    () => here('no body', { raw: Buffer.alloc(0) }),
  ]
  const ways: (() => Mutant)[] = [
    ...(unsigned ? [] : ofBody),
    () => ({ how: 'another account', delivery, to: 'another account' }),
    () => ({ how: 'another shop', delivery, to: 'another shop' }),
  ]
  // One key for all shops: whoever else holds this one may believe it as well.
  if (!signsForAll) ways.push(() => ({ how: 'another tenant', delivery, to: 'another tenant' }))
  if (theirs.length > 0) ways.push(() => ({ how: "somebody else's secret", delivery: lots.pick(theirs), to: 'here' }))
  if (proofs.length > 0) {
    ways.push(
      header('a letter', letterChanged),
      header('a letter', letterChanged),
      header('absence', () => null),
      header('emptiness', () => ''),
      header('doubling', (value) => `${value}, ${value}`),
      header('the case', swapCase),
      header('half', (value) => value.slice(0, value.length >> 1)),
      header('excess', (value) => `${value}AAAA`),
      header('nonsense', () => 'undefined'),
    )
  }
  // As a helpful proxy would write it.
  const anew = unsigned ? null : rewritten(raw)
  if (anew) ways.push(() => here('the same, written anew', { raw: anew }))
  return lots.pick(ways)()
}

function rewritten(raw: Buffer): Buffer | null {
  try {
    const anew = Buffer.from(JSON.stringify(JSON.parse(raw.toString()), null, 1))
    return anew.equals(raw) ? null : anew
  } catch {
    return null
  }
}
