/**
 * Every endpoint of the interface specification, with what opens it: `app:…` and `webcomponent:…` are scopes, other words
 * are permissions, a dash is neither. Written down by hand, so that the code cannot agree with itself only.
 */
const endpoints = `
POST /oauth/token -

GET /api/2.0/user/clients read-client
GET /api/2.0/user/clients/{id} read-client
POST /api/2.0/user/clients create-client
PUT /api/2.0/user/clients/{id} update-client
DELETE /api/2.0/user/clients/{id} delete-client
GET /api/2.0/user/apps -
GET /api/2.0/user/apps/{appId} -
POST /api/2.0/user/apps -
PUT /api/2.0/user/apps/{appId} -
DELETE /api/2.0/user/apps/{appId} -
POST /api/2.0/user/apps/{appId}/logo -
GET /api/2.0/user/apps/{appId}/services -
POST /api/2.0/user/apps/{appId}/services -
PUT /api/2.0/user/apps/{appId}/services/{serviceId} -
DELETE /api/2.0/user/apps/{appId}/services/{serviceId} -
PUT /api/2.0/user/apps/{appId}/services-sync -
POST /api/2.0/user/apps/{appId}/services/{serviceId}/logo -
GET /api/2.0/user/apps/{appId}/integrations -
GET /api/2.0/user/apps/{appId}/integrations/{integrationId} -
POST /api/2.0/user/apps/{appId}/integrations/{integrationId}/claim -

POST /api/2.0/app/intent/{account} app:intent-create
GET /api/2.0/app/accounts app:account-read
GET /api/2.0/app/accounts/{account} app:account-read
POST /api/2.0/app/accounts app:account-create
PUT /api/2.0/app/accounts/{accountId} app:account-update
GET /api/2.0/app/integrations app:integration-read
GET /api/2.0/app/integrations/{integration} app:integration-read
POST /api/2.0/app/integrations/{integrationId}/action app:integration-action
PUT /api/2.0/app/integrations/{integrationId} app:integration-update
DELETE /api/2.0/app/integrations/{integrationId} app:integration-delete
POST /api/2.0/app/{resource}/install app:integration-create
POST /api/2.0/app/integrations/{integrationId}/claim app:integration-claim
PATCH /api/2.0/app/integrations/{integrationKey}/status app:integration-update
GET /api/2.0/app/services app:service-attach
GET /api/2.0/app/services/{service} app:service-attach
GET /api/2.0/app/flows app:flow-read
GET /api/2.0/app/flows/{flow} app:flow-read

GET /api/2.0/webcomponent/app webcomponent:app-read
GET /api/2.0/webcomponent/integrations webcomponent:integration-read
GET /api/2.0/webcomponent/integrations/{integrationId} webcomponent:integration-read
PUT /api/2.0/webcomponent/integrations/{integrationId} webcomponent:integration-update
POST /api/2.0/webcomponent/integrations/{integrationId}/event webcomponent:integration-event
POST /api/2.0/webcomponent/integrations/{integrationId}/logo webcomponent:integration-read
POST /api/2.0/webcomponent/service/{resource}/install webcomponent:integration-create
POST /api/2.0/webcomponent/integrations/{integrationId}/install webcomponent:integration-install
POST /api/2.0/webcomponent/integrations/{integrationId}/uninstall webcomponent:integration-install
POST /api/2.0/webcomponent/integrations/{integrationId}/actions webcomponent:integration-event
POST /api/2.0/webcomponent/integrations/{integrationId}/schedule webcomponent:integration-schedule
PUT /api/2.0/webcomponent/integrations/{integrationId}/schedule/{scheduleId} webcomponent:integration-schedule
DELETE /api/2.0/webcomponent/integrations/{integrationId}/schedule/{scheduleId} webcomponent:integration-schedule
GET /api/2.0/webcomponent/integrations/{integrationId}/logs webcomponent:integration-read
GET /api/2.0/webcomponent/services webcomponent:integration-read
GET /api/2.0/webcomponent/services-type/{serviceType} webcomponent:integration-read

GET /api/1.0/users read-user
GET /api/1.0/users/{user} read-user
GET /api/1.0/users/information -
POST /api/1.0/users create-user
PUT /api/1.0/users/{user} update-user
DELETE /api/1.0/users/{user} delete-user
GET /api/1.0/integrations read-integration
GET /api/1.0/integrations/{integration} read-integration
POST /api/1.0/integrations create-integration
PUT /api/1.0/integrations/{integration} update-integration
DELETE /api/1.0/integrations/{integration} delete-integration
POST /api/1.0/{resource}/install read-integration
GET /api/1.0/services read-integration
GET /api/1.0/services/{service} read-integration
GET /api/1.0/services/logos read-integration
POST /api/1.0/services create-integration
PUT /api/1.0/services/{service} update-service
DELETE /api/1.0/services/{service} delete-service
POST /api/1.0/services/{service}/logo create-integration
GET /api/1.0/schedules read-schedule
GET /api/1.0/schedules/{schedule} read-schedule
POST /api/1.0/schedules create-schedule
PUT /api/1.0/schedules/{schedule} update-schedule
DELETE /api/1.0/schedules/{schedule} delete-schedule
POST /api/1.0/schedules-bulk create-schedule
PUT /api/1.0/schedules-bulk update-schedule
DELETE /api/1.0/schedules-bulk delete-schedule
GET /api/1.0/apps -
POST /api/1.0/apps -
GET /api/1.0/apps/{app} -
PUT /api/1.0/apps/{app} -
DELETE /api/1.0/apps/{app} -
GET /api/1.0/accounts -
POST /api/1.0/accounts -
GET /api/1.0/accounts/{account} -
PUT /api/1.0/accounts/{account} -
DELETE /api/1.0/accounts/{account} -
GET /api/1.0/companies -
POST /api/1.0/companies -
GET /api/1.0/companies/{company} -
PUT /api/1.0/companies/{company} -

GET /api/1.0/orders -
GET /api/1.0/orders/{order} read-order
POST /api/1.0/orders create-order
PUT /api/1.0/orders/{order} update-order
DELETE /api/1.0/orders/{order} delete-order
POST /api/1.0/orders/acknowledge -
PUT /api/1.0/orders/{order}/cancel -
GET /api/1.0/sandbox/orders -
POST /api/1.0/shipments -
POST /api/1.0/inventory -
GET /api/1.0/products -
POST /api/1.0/export-products -
POST /api/1.0/webhooks -
DELETE /api/1.0/webhooks/{webhookId} -
GET /api/1.0/resource/{resource} -
POST /api/1.0/services-request -
GET /api/1.0/app_authorization/{channel} -
GET /api/1.0/app_callback/{channel} -
GET /api/1.0/webhook_callback/{channel}/{account_id}/{store} -
`

/** What its migration table names beyond that. */
const implied = `
POST /api/2.0/app/integrations app:integration-create
GET /api/2.0/user/users read-user
`

export interface SpecifiedEndpoint {
  /** `GET /api/…` */
  name: string
  scope: string | null
  permission: string | null
}

function read(lines: string): SpecifiedEndpoint[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [method = '', path = '', lock = '-'] = line.split(' ')
      const scope = lock.includes(':') ? lock : null
      return { name: `${method} ${path}`, scope, permission: scope !== null || lock === '-' ? null : lock }
    })
}

export const specified: readonly SpecifiedEndpoint[] = read(endpoints)
export const impliedEndpoints: readonly SpecifiedEndpoint[] = read(implied)

export const specifiedScopes = [
  '*',
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
  'webcomponent:app-read',
  'webcomponent:integration-read',
  'webcomponent:integration-update',
  'webcomponent:integration-event',
  'webcomponent:integration-create',
  'webcomponent:integration-install',
  'webcomponent:integration-schedule',
] as const

export const specifiedPermissions = ['user', 'integration', 'schedule', 'client', 'order']
  .flatMap((what) => ['read', 'create', 'update', 'delete'].map((verb) => `${verb}-${what}`))
  .concat('update-service', 'delete-service')
