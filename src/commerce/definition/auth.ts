import type { Static } from 'typebox'
import { choice, flag, integer, list, object, optional, text } from '../../lib/validation/fields.ts'
import { maybePlace, path } from './place.ts'
import { headerName, parameter } from './requests.ts'

/** How shops of a described service are opened: what merchants type, what is fetched for it, and where it goes. */

const secretName = () =>
  text({ max: 32, pattern: '^[a-z][a-z0-9_]{0,31}$', must: 'be lower case letters, digits and _' })

/** With what was typed in braces: "Key {api_key}". */
const filledIn = (description: string) => text({ max: 500, description })

const secrets = list(
  object({
    name: secretName(),
    label: optional(text({ max: 80, description: 'What merchants read above the field.' })),
    help: optional(text({ max: 300, description: 'Where they find it.' })),
    optional: optional(flag('Whether it may be left out; whatever names it is then not sent.')),
  }),
  { min: 1, max: 10 },
)

const send = list(
  object({
    in: choice(['header', 'query', 'basic'], '`basic` is a user name and a password with a colon between.'),
    name: optional(parameter('Of the header or parameter.')),
    value: filledIn('With secrets in braces: "Key {api_key}"; {token} is what a login brought.'),
  }),
  { min: 1, max: 10 },
)

/** Below the shop's own address, or somewhere else altogether. */
const address = (description: string) =>
  text({
    max: 300,
    pattern: '^(https?://[A-Za-z0-9.-]+(:\\d{1,5})?)?(/[A-Za-z0-9._~:@-]{1,100}){1,8}/?$',
    must: 'be a path below the address of the shop, or a whole address, without a query',
    description,
  })

const login = object({
  address: address('Where the login is sent.'),
  method: optional(choice(['POST', 'PUT', 'GET'], 'POST by default.')),
  query: optional(list(object({ name: parameter(), value: filledIn('With secrets in braces.') }), { max: 20 })),
  headers: optional(list(object({ name: headerName(), value: filledIn('With secrets in braces.') }), { max: 10 })),
  body: optional(list(object({ path: path(), value: filledIn('With secrets in braces.') }), { max: 20 })),
  encoding: optional(choice(['json', 'form'], 'How the body is written; JSON by default.')),
  token: maybePlace('Where the answer has the token; the answer itself if left out.'),
  expires_in: maybePlace('Where the answer says for how many seconds it lasts.'),
  expires_at: maybePlace('Where the answer says until when it lasts.'),
  lifetime: optional(
    integer({ minimum: 30, maximum: 31_536_000, description: 'For how many seconds it lasts, where no answer says.' }),
  ),
})

const oauth = object({
  token_address: address('Where tokens are given.'),
  authorize_address: optional(address('Where merchants agree; for `authorization_code`.')),
  client_in: optional(choice(['body', 'basic'], 'How client id and secret are sent; in the body by default.')),
  scopes: optional(
    list(text({ max: 200, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', must: 'be one scope, without spaces' }), {
      max: 50,
    }),
  ),
  pkce: optional(flag('Whether a challenge is sent along (S256); so it is, unless this is false.')),
  parameters: optional(
    list(object({ name: parameter(), value: text({ max: 500 }) }), {
      max: 20,
      description: 'What the service wants besides, such as `audience`.',
    }),
  ),
})

export const auth = object({
  kind: choice([
    ...(['header', 'bearer', 'basic', 'query', 'none'] as const),
    ...(['secrets', 'login', 'client_credentials', 'authorization_code'] as const),
  ]),
  name: optional(
    text({
      max: 64,
      pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
      must: 'begin with a letter and hold letters, digits, _ and -',
      description: 'Of the header or parameter.',
    }),
  ),
  secrets: optional(secrets),
  send: optional(send),
  login: optional(login),
  oauth: optional(oauth),
})

export type Auth = Static<typeof auth>
export type Login = Static<typeof login>
export type OAuth = Static<typeof oauth>

/** Kinds that bring a token which the merchant did not type. */
export const bringsToken = ({ kind }: Auth): boolean =>
  kind === 'login' || kind === 'client_credentials' || kind === 'authorization_code'

/** What is kept under these names comes from the service. */
export const keptNames = ['token', 'access_token', 'refresh_token']

/** The names of what merchants type, in the order of the form. */
export function typedNames({ kind, secrets: own = [] }: Auth): string[] {
  const further = own.map(({ name }) => name)
  switch (kind) {
    case 'header':
    case 'query':
      return ['api_key']
    case 'bearer':
      return ['token']
    case 'basic':
      return ['username', 'password']
    case 'client_credentials':
      return ['client_id', 'client_secret', ...further]
    case 'none':
    case 'authorization_code':
      return []
    default:
      return further
  }
}
