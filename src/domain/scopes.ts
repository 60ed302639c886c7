/** What a token may be limited to. The specification names exactly these for apps and accounts, and `*` for all. */
const appScopes = [
  'app:account-read',
  'app:account-create',
  'app:account-update',
  'app:intent-create',
  'app:integration-read',
  'app:integration-action',
  'app:integration-claim',
  'app:integration-update',
  'app:integration-delete',
  'app:integration-create',
  'app:service-attach',
  'app:flow-read',
] as const

export const webcomponentScopes = [
  'webcomponent:app-read',
  'webcomponent:integration-read',
  'webcomponent:integration-update',
  'webcomponent:integration-event',
  'webcomponent:integration-create',
  'webcomponent:integration-install',
  'webcomponent:integration-schedule',
] as const

/** Tokens of users. The specification names none for them: these follow from the route (`api/user-scope.ts`). */
export const userScopes = [
  'user:account-create',
  'user:account-delete',
  'user:account-read',
  'user:account-update',
  'user:app-create',
  'user:app-delete',
  'user:app-read',
  'user:app-update',
  'user:audit-read',
  'user:client-create',
  'user:client-delete',
  'user:client-read',
  'user:client-update',
  'user:company-create',
  'user:company-read',
  'user:company-update',
  'user:flow-create',
  'user:flow-delete',
  'user:flow-read',
  'user:flow-update',
  'user:integration-create',
  'user:integration-delete',
  'user:integration-read',
  'user:integration-update',
  'user:inventory-create',
  'user:inventory-read',
  'user:invitation-create',
  'user:invitation-delete',
  'user:invitation-read',
  'user:order-create',
  'user:order-delete',
  'user:order-read',
  'user:order-update',
  'user:product-create',
  'user:product-read',
  'user:request-create',
  'user:request-read',
  'user:schedule-create',
  'user:schedule-delete',
  'user:schedule-read',
  'user:schedule-update',
  'user:service-create',
  'user:service-delete',
  'user:service-read',
  'user:service-update',
  'user:session-delete',
  'user:session-read',
  'user:session-update',
  'user:shipment-create',
  'user:shipment-read',
  'user:usage-read',
  'user:user-create',
  'user:user-delete',
  'user:user-read',
  'user:user-update',
  'user:webhook-create',
  'user:webhook-delete',
  'user:webhook-read',
  'user:webhook-update',
] as const

export type UserScope = (typeof userScopes)[number]
export type AppScope = (typeof appScopes)[number]
export type WebcomponentScope = (typeof webcomponentScopes)[number]

export const everyScope = '*'
export const scopes = [everyScope, ...appScopes, ...webcomponentScopes, ...userScopes] as const

export type Scope = (typeof scopes)[number]
