import { findApp, findMutableApp } from '../../domain/apps/app-store.ts'
import { findIntegrationOfAccount, findIntegrationOfApp } from '../../domain/integrations/integration-store.ts'
import type { AccountCaller, ClientCaller, UserCaller } from '../../domain/tenant.ts'
import { recordId } from '../../lib/record-id.ts'
import type { Finding } from '../define.ts'
import { appTenant } from '../tenants.ts'

/** The `find` of endpoints whose path names an app or an integration, by who asks. */

export const appInPath = ({ context, caller, params }: Finding<UserCaller, 'appId'>) =>
  findApp(context.db, caller, recordId(params.appId))

export const mutableAppInPath = ({ context, caller, params }: Finding<UserCaller, 'appId'>) =>
  findMutableApp(context.db, caller, recordId(params.appId))

export const integrationOfAppInPath = ({ context, caller, params }: Finding<ClientCaller, 'integrationId'>) =>
  findIntegrationOfApp(context.db, appTenant(caller), recordId(params.integrationId))

export const integrationOfAccountInPath = ({ context, caller, params }: Finding<AccountCaller, 'integrationId'>) =>
  findIntegrationOfAccount(context.db, caller, recordId(params.integrationId))
