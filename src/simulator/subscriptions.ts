import type { Moment } from './clock.ts'
import type { Fields } from './json.ts'
import type { Message } from './platform.ts'
import type { World } from './world.ts'

/** Who wants to hear of what. */
export interface Subscription {
  id: number
  name: string
  topic: string
  url: string
  secret: string
  /** What else was asked for: headers that are to come along, fields that are wanted. */
  wishes: Fields
  active: boolean
  /** In a row. */
  failures: number
  createdAt: Moment
  updatedAt: Moment
}

export type NewSubscription = Pick<Subscription, 'topic' | 'url'> &
  Partial<Pick<Subscription, 'name' | 'secret' | 'wishes'>>

/** A message with the name by which the ledger knows it. */
export type Delivery = Message & { delivery: string }

export interface MessageRules {
  /** What somebody is sent about a record, signed. */
  messageTo(one: Pick<Subscription, 'id' | 'name' | 'topic' | 'secret' | 'wishes'>, record: object): Delivery
  /** After so many failures in a row a subscription is switched off… */
  patience: number
  /** … or removed. */
  removes?: boolean
  /** Whether a message that failed is never sent again. */
  once?: boolean
}

export type Subscriptions = ReturnType<typeof createSubscriptions>

export function createSubscriptions({ clock, courier }: Pick<World, 'clock' | 'courier'>, rules: MessageRules) {
  const { messageTo, patience, removes = false, once = false } = rules
  const byId = new Map<number, Subscription>()
  let last = 0
  const to = (topic: string) => [...byId.values()].filter((one) => one.active && one.topic === topic)
  return {
    to,
    all: (): readonly Subscription[] => [...byId.values()],
    get: (id: number) => byId.get(id) ?? null,
    add(input: NewSubscription): Subscription {
      const at = clock.tick()
      const usual = { name: input.topic, secret: '', wishes: {}, active: true, failures: 0 }
      const made = { id: ++last, ...usual, ...input, createdAt: at, updatedAt: at }
      byId.set(made.id, made)
      return made
    },
    remove: (id: number) => byId.delete(id),
    clear: () => byId.clear(),
    /** Sends whoever wants to hear of it a message. */
    tell(topic: string, subject: string, record: () => object): void {
      for (const one of to(topic)) {
        const done = (delivered: boolean) => {
          one.failures = delivered ? 0 : one.failures + 1
          if (one.failures !== patience) return
          one.active = false
          if (removes) byId.delete(one.id)
        }
        courier.send({ topic, subject, url: one.url, once, done, ...messageTo(one, record()) })
      }
    },
  }
}
