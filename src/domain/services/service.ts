import type { JsonValue } from '../../runtime/db/tables.gen.ts'
import { type OwnedByUser, owns, type UserTenant } from '../tenant.ts'
import type { PlatformClient } from './platform-client.ts'

/** An outside platform in the catalogue. What comes with us has no owner and is shown to everybody. */
export interface Service extends OwnedByUser {
  id: number
  type: string
  name: string
  description: string | null
  logo: string | null
  auth_type: string
  active: boolean
  mutable: boolean
  settings: JsonValue
  /** How to call its shops, for services that are described rather than built in (`commerce/definition/definition.ts`). */
  definition: JsonValue
  /** Set where the platform knows us; with what is kept sealed. */
  client_key_id: string | null
  created_at: string
  updated_at: string
}

export const authTypes = ['oauth2', 'api_key', 'basic', 'none'] as const
export type AuthType = (typeof authTypes)[number]

/** With a letter in it: a type must never look like an id, because paths take either. */
export const typePattern = '^(?=.*[a-z])[a-z0-9][a-z0-9_-]*$'

export interface ServiceInput {
  type: string
  name: string
  description?: string | null | undefined
  auth_type: AuthType
  active?: boolean | undefined
  settings?: Record<string, unknown> | undefined
  definition?: Record<string, unknown> | null | undefined
}

/** The type names the service for ever: integrations and paths refer to it. */
export type ServiceChanges = Partial<Omit<ServiceInput, 'type'>>

export const isBuiltIn = (service: OwnedByUser): boolean => service.user_id === null && service.company_id === null

export const seesService = (tenant: UserTenant, service: OwnedByUser): boolean =>
  isBuiltIn(service) || owns(tenant, service)

/** What comes with us is not for tenants to change: it is everybody's. */
export const changesService = (tenant: UserTenant, service: Pick<Service, 'user_id' | 'company_id' | 'mutable'>) =>
  isBuiltIn(service) ? tenant.admin : service.mutable && owns(tenant, service)

/** A service as an app offers it: the catalogue's record and the app's own choices. */
export interface AttachedService extends Service {
  app_id: number
  attached_active: boolean
  attached_settings: JsonValue
  attached_logo: string | null
  attached_client_key_id: string | null
  attached_at: string
  attached_updated_at: string
}

export interface Attachment {
  service_id: number
  active?: boolean | undefined
  settings?: Record<string, unknown> | undefined
}

/** Beside what is shown again, what is not. */
export type AttachmentWithClient = Attachment & { client?: PlatformClient | undefined }
