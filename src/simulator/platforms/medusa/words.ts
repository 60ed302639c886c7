import type { ShopOrder, Stage } from '../../shop/order.ts'

/** An order stays `pending` until somebody says that it is done, whatever has been paid and sent. */
export const words: Readonly<Record<Stage, readonly [status: string, payment: string]>> = {
  unpaid: ['requires_action', 'requires_action'],
  held: ['pending', 'authorized'],
  paid: ['pending', 'captured'],
  part_sent: ['pending', 'captured'],
  sent: ['pending', 'captured'],
  delivered: ['completed', 'captured'],
  part_refunded: ['completed', 'partially_refunded'],
  refunded: ['archived', 'refunded'],
  cancelled: ['canceled', 'canceled'],
}

export const isStatus = (word: string): boolean =>
  word === 'draft' || Object.values(words).some(([status]) => status === word)

export function orderStatus({ stage }: ShopOrder): { status: string; remote_status: string } {
  const [remote_status] = words[stage]
  if (stage === 'cancelled') return { status: 'CANCELLED', remote_status }
  if (stage === 'sent') return { status: 'SHIPPED', remote_status }
  return {
    status: remote_status === 'completed' || remote_status === 'archived' ? 'DELIVERED' : 'PENDING',
    remote_status,
  }
}

/** Payments move without their order: until something of it is sent, it keeps the time at which it was placed. */
export const waits = (stage: Stage): boolean => stage === 'unpaid' || stage === 'held' || stage === 'paid'

export const productStatuses = { active: 'published', draft: 'draft', archived: 'rejected' } as const
export const productStages = { published: 'active', draft: 'draft', proposed: 'draft', rejected: 'archived' } as const
