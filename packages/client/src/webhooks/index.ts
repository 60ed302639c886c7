export type { WebhookEvent, WebhookEventOf, WebhookEventType } from '../types.ts'
export * from './handlers.ts'
export * from './verify.ts'
