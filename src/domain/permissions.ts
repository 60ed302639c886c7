/** What a user may be allowed to do; the specification names exactly these. */
export const permissions = [
  'read-user',
  'create-user',
  'update-user',
  'delete-user',
  'read-integration',
  'create-integration',
  'update-integration',
  'delete-integration',
  'read-schedule',
  'create-schedule',
  'update-schedule',
  'delete-schedule',
  'read-client',
  'create-client',
  'update-client',
  'delete-client',
  'read-order',
  'create-order',
  'update-order',
  'delete-order',
  'update-service',
  'delete-service',
] as const

export type Permission = (typeof permissions)[number]
