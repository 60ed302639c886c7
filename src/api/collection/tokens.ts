import type { Json } from './json.ts'

/** How tokens are got: each request keeps what it got where the others look for it. */

/** Run by the program that has imported the collection, with what was answered. */
const keep = (field: string, variable: string): Json => ({
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [
      `const answer = pm.response.json()`,
      `if (pm.response.code < 300) pm.environment.set('${variable}', ${field})`,
    ],
  },
})

const tokenRequest = (body: Json): Json => ({
  method: 'POST',
  auth: { type: 'noauth' },
  header: [
    { key: 'Content-Type', value: 'application/json' },
    { key: 'Accept', value: 'application/json' },
  ],
  url: { raw: '{{base_url}}/oauth/token', host: ['{{base_url}}'], path: ['oauth', 'token'] },
  body: jsonBody(body),
})

export const jsonBody = (value: unknown): Json => ({
  mode: 'raw',
  raw: JSON.stringify(value, null, 2),
  options: { raw: { language: 'json' } },
})

const client = { client_id: '{{client_id}}', client_secret: '{{client_secret}}' }

export const tokenFolder: Json = {
  name: 'Tokens',
  description: 'Run one of these first. What it gets is kept in the environment, and the other requests use it.',
  item: [
    {
      name: 'Token of an app',
      request: tokenRequest({ grant_type: 'client_credentials', ...client, scope: '*' }),
      event: [keep('answer.access_token', 'client_token')],
    },
    {
      name: 'Token of a user',
      request: tokenRequest({
        grant_type: 'password',
        ...client,
        username: '{{username}}',
        password: '{{password}}',
        scope: '*',
      }),
      event: [keep('answer.access_token', 'user_token')],
    },
    {
      name: 'Intent of an account',
      request: {
        method: 'POST',
        auth: bearer('client_token'),
        header: [
          { key: 'Content-Type', value: 'application/json' },
          { key: 'Accept', value: 'application/json' },
        ],
        url: {
          raw: '{{base_url}}/api/2.0/app/intent/{{account}}',
          host: ['{{base_url}}'],
          path: ['api', '2.0', 'app', 'intent', '{{account}}'],
        },
        body: jsonBody({ scopes: ['*'] }),
      },
      event: [keep('answer.data.token', 'intent_token')],
    },
    {
      name: 'Token of an account',
      request: tokenRequest({ grant_type: 'intent_token', intent_token: '{{intent_token}}' }),
      event: [keep('answer.access_token', 'account_token')],
    },
  ],
}

/** A token that is in the environment. */
export function bearer(variable: string): Json {
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] }
}
