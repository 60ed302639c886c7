import { command } from './command.ts'
import { makeDemo } from './make-demo.ts'
import { withProgram } from './session.ts'

export const demoCommand = command({
  name: 'demo',
  summary: 'Make a complete example tenant with a connected sandbox shop',
  options: {},
  async run(_values, output) {
    const demo = await withProgram(
      async ({ context }) => ({
        base_url: context.publicUrl,
        ...(await makeDemo(context)),
      }),
      { operation: 'demo', what: 'Make an example tenant' },
    )
    output.result(demo, inWords(demo))
  },
})

type Demo = { base_url: string } & Awaited<ReturnType<typeof makeDemo>>

const inWords = ({
  base_url,
  user,
  password_client,
  app,
  app_client,
  account,
  integration,
}: Demo) => `A new tenant at ${base_url}

  Sign in at ${base_url}/console as ${user.email} with the password ${user.password}
  and see the elements that merchants use at ${base_url}/demo

  user               ${user.email} / ${user.password}
  password client    ${password_client.id} / ${password_client.secret}
  app                ${app.id}
  app client         ${app_client.id} / ${app_client.secret}
  account            ${account.remote_id}
  integration        ${integration.id} (${integration.integrationKey})
  gateway key        ${integration.gateway_key}

A token for the app, and its integrations:

  TOKEN=$(curl -s ${base_url}/oauth/token -d grant_type=client_credentials -d client_id=${app_client.id} \\
    -d client_secret=${app_client.secret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  curl -s ${base_url}/api/2.0/app/integrations -H "Authorization: Bearer $TOKEN"`
