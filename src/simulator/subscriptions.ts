import type { Clock, Moment } from './clock.ts'

/** Who wants to hear of what. */
export interface Subscription {
  id: number
  name: string
  topic: string
  url: string
  secret: string
  active: boolean
  /** In a row. */
  failures: number
  createdAt: Moment
  updatedAt: Moment
}

export interface Subscriptions {
  all(): readonly Subscription[]
  to(topic: string): readonly Subscription[]
  get(id: number): Subscription | null
  add(input: Pick<Subscription, 'name' | 'topic' | 'url' | 'secret'>): Subscription
  remove(id: number): boolean
  clear(): void
  /** The platform's patience ends after so many failures in a row; true when it just did. */
  count(subscription: Subscription, delivered: boolean, patience: number): boolean
}

export function createSubscriptions(clock: Clock): Subscriptions {
  const byId = new Map<number, Subscription>()
  let last = 0
  return {
    all: () => [...byId.values()],
    to: (topic) => [...byId.values()].filter((one) => one.active && one.topic === topic),
    get: (id) => byId.get(id) ?? null,
    add(input) {
      const at = clock.tick()
      const made = { id: ++last, ...input, active: true, failures: 0, createdAt: at, updatedAt: at }
      byId.set(made.id, made)
      return made
    },
    remove: (id) => byId.delete(id),
    clear: () => byId.clear(),
    count(subscription, delivered, patience) {
      subscription.failures = delivered ? 0 : subscription.failures + 1
      return subscription.failures === patience
    },
  }
}
