import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { type EventType, events } from '../../src/domain/events/event.ts'
import type { WebhookLab } from './webhook-lab.ts'

export interface SeenEvent {
  id: number
  type: EventType
  subject: string
  data: Record<string, unknown>
}

type Whose = { app_id: number } | { integration_id: number }

async function eventsSince({ context }: WebhookLab, id: number, whose: Whose): Promise<SeenEvent[]> {
  const rows = await context.db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'subject', 'data'])
    .where((eb) => eb.and(whose))
    .where('id', '>', id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, type: row.type as EventType, data: JSON.parse(row.data) }))
}

/** What happened meanwhile to one tenant, the lab's app unless another is named; every event is as the catalogue says. */
export async function eventsDuring(
  lab: WebhookLab,
  work: () => Promise<unknown>,
  whose: Whose = { app_id: lab.appId },
): Promise<SeenEvent[]> {
  const before = (await eventsSince(lab, 0, whose)).at(-1)?.id ?? 0
  await work()
  const made = await eventsSince(lab, before, whose)
  for (const { type, data } of made) expect([type, [...Value.Errors(events[type].data, data)]]).toEqual([type, []])
  return made
}

export const typesOf = (made: readonly SeenEvent[]): EventType[] => made.map(({ type }) => type)
