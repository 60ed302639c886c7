import { ConfigError } from '../config.ts'
import { command } from './command.ts'
import { withProgram } from './session.ts'

export const createClientCommand = command({
  name: 'create-client',
  summary: 'Create an OAuth client and show its secret',
  options: {
    grant: { type: 'string', value: 'GRANT', description: 'password or client_credentials', required: true },
    name: { type: 'string', description: 'What it is for' },
    app: { type: 'string', value: 'ID', description: 'The app it speaks for (client_credentials)' },
    scopes: {
      type: 'string',
      value: 'LIST',
      description: 'Upper limit for the scopes of its tokens, separated by spaces; everything if left out',
    },
  },
  async run(values, output) {
    const { grant, scopes } = values
    if (grant !== 'password' && grant !== 'client_credentials') {
      throw new ConfigError(`--grant must be password or client_credentials, not "${grant}".`)
    }
    if (values.app !== undefined && !/^[1-9]\d{0,14}$/.test(values.app))
      throw new ConfigError('--app must be the id of an app.')
    const { createClient } = await import('../domain/oauth/clients/create-client.ts')
    const { client, secret } = await withProgram(
      ({ context }) =>
        createClient(context, null, {
          name: values.name ?? `${grant} client`,
          app_id: values.app === undefined ? null : Number(values.app),
          grant_types: grant === 'password' ? ['password', 'refresh_token'] : ['client_credentials'],
          scopes: scopes ? scopes.split(/[\s,]+/).filter((scope) => scope !== '') : null,
        }),
      { operation: 'create-client', what: 'Create an OAuth client' },
    )
    output.result(
      { id: client.id, secret, grant_types: client.grant_types, app_id: client.app_id, scopes: client.scopes },
      `Created client ${client.id}. Copy the secret now: it is shown only once.\n  client_id      ${client.id}\n  client_secret  ${secret}`,
    )
  },
})
