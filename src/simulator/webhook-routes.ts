import { type Answer, type Call, forOne, isAnswer, type RouteRow } from './http/route.ts'
import type { NewSubscription, Subscription, Subscriptions } from './subscriptions.ts'
import type { World } from './world.ts'

export interface WebhookFacts {
  path: string
  subscriptions: Subscriptions
  /** What is asked for, or why it is refused. `record`: see `Ledger`. */
  read(call: Call): (NewSubscription & { record?: string }) | Answer
  /** Changes one as the call says. */
  amend?(one: Subscription, call: Call): void
  list(call: Call, all: readonly Subscription[]): Answer
  show(one: Subscription, status: 200 | 201): Answer
  removed?(one: Subscription): Answer
  missing(): Answer
}

/** Webhooks that are registered by REST: listed, made, read, changed and removed. */
export function webhookRoutes({ clock }: Pick<World, 'clock'>, facts: WebhookFacts): readonly RouteRow[] {
  const { path, subscriptions, show, missing, removed = (one) => show(one, 200) } = facts
  const ofOne = forOne((id) => subscriptions.get(Number(id)), missing)
  const create: RouteRow[3] = (call, record) => {
    const read = facts.read(call)
    if (isAnswer(read)) return read
    const { record: known = null, ...asked } = read
    const made = subscriptions.add(asked)
    record.effect('webhook.create', String(made.id), null, known)
    return show(made, 201)
  }
  const update = ofOne((one, call, record, [id]) => {
    facts.amend?.(one, call)
    one.updatedAt = clock.tick()
    record.effect('webhook.update', id)
    return show(one, 200)
  })
  const remove = ofOne((one, _, record, [id]) => {
    subscriptions.remove(one.id)
    record.effect('webhook.delete', id)
    return removed(one)
  })
  return [
    ['GET', path, 'webhooks.list', (call) => facts.list(call, subscriptions.all())],
    ['POST', path, 'webhooks.create', create],
    ['GET', `${path}/:id`, 'webhooks.get', ofOne((one) => show(one, 200))],
    ...(facts.amend ? ([['PUT', `${path}/:id`, 'webhooks.update', update]] as const) : []),
    ['DELETE', `${path}/:id`, 'webhooks.delete', remove],
  ]
}
