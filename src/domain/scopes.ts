/** What a token may be limited to; the specification names exactly these, and `*` for all of them. */
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

export const everyScope = '*'
export const scopes = [everyScope, ...appScopes, ...webcomponentScopes] as const

export type Scope = (typeof scopes)[number]
