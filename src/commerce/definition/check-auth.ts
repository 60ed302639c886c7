import type { FieldErrors } from '../../lib/fault.ts'
import { type Auth, bringsToken, keptNames, typedNames } from './auth.ts'
import { isForbiddenHeader } from './check-requests.ts'
import { badFormat, carriesMessage, merged, mustBe, prohibited, repeated, required } from './complaints.ts'

const at = 'definition.auth'

/** What belongs to which way of being let in: each way needs some of it, and the rest would go unread. */
const wanted: Readonly<Record<Auth['kind'], { needs: readonly (keyof Auth)[]; takes?: readonly (keyof Auth)[] }>> = {
  header: { needs: ['name'] },
  query: { needs: ['name'] },
  bearer: { needs: [] },
  basic: { needs: [] },
  none: { needs: [] },
  secrets: { needs: ['secrets', 'send'] },
  login: { needs: ['secrets', 'login'], takes: ['send'] },
  client_credentials: { needs: ['oauth'], takes: ['secrets', 'send'] },
  authorization_code: { needs: ['oauth'], takes: ['send'] },
}

const parts = ['name', 'secrets', 'send', 'login', 'oauth'] as const

export function authErrors(auth: Auth): FieldErrors {
  const { needs, takes = [] } = wanted[auth.kind]
  const unread = parts.filter((part) => auth[part] !== undefined && ![...needs, ...takes].includes(part))
  return merged([
    ...needs.flatMap((part) => (auth[part] === undefined ? [required(`${at}.${part}`)] : [])),
    ...unread.map((part) => prohibited(`${at}.${part}`)),
    ...(auth.kind === 'header' && isForbiddenHeader(auth.name) ? [badFormat(`${at}.name`, carriesMessage)] : []),
    // What does not belong here at all is not judged further.
    ...(unread.length > 0 ? [] : [secretErrors(auth), sendErrors(auth), loginErrors(auth), oauthErrors(auth)]),
  ])
}

function secretErrors(auth: Auth): FieldErrors {
  const names = (auth.secrets ?? []).map(({ name }) => name)
  const taken = auth.kind === 'client_credentials' ? [...keptNames, 'client_id', 'client_secret'] : keptNames
  return merged([
    repeated(names, `${at}.secrets`, 'name'),
    ...names.flatMap((name, n) =>
      taken.includes(name) ? [mustBe(`${at}.secrets.${n}.name`, `must not be one of ${taken.join(', ')}`)] : [],
    ),
    // What nobody sends nobody should be asked for.
    ...names.flatMap((name, n) =>
      textsOf(auth).some((text) => text.includes(`{${name}}`))
        ? []
        : [mustBe(`${at}.secrets.${n}.name`, `must stand in braces somewhere in send or login: {${name}}`)],
    ),
  ])
}

const textsOf = ({ send = [], login }: Auth): string[] =>
  [send, login?.query ?? [], login?.headers ?? [], login?.body ?? []].flat().map(({ value }) => value)

function sendErrors(auth: Auth): FieldErrors {
  const known = [...typedNames(auth), ...(bringsToken(auth) ? ['token'] : [])]
  return merged(
    (auth.send ?? []).flatMap(({ in: where, name, value }, n) => {
      const place = `${at}.send.${n}`
      return [
        fillErrors(value, known, `${place}.value`),
        ...(where === 'basic' && name !== undefined ? [prohibited(`${place}.name`)] : []),
        ...(where === 'basic' && !value.includes(':') ? [badFormat(`${place}.value`, 'It must hold a colon.')] : []),
        ...(where !== 'basic' && name === undefined ? [required(`${place}.name`)] : []),
        ...(where === 'header' ? [headerErrors(name, `${place}.name`)] : []),
      ]
    }),
  )
}

function loginErrors({ login, ...auth }: Auth): FieldErrors {
  if (!login) return {}
  const place = `${at}.login`
  const { query = [], headers = [], body = [] } = login
  const inBody = body.length > 0 && login.method === 'GET'
  const known = typedNames(auth)
  const lives = [login.expires_in, login.expires_at, login.lifetime].filter((one) => one !== undefined)
  const paths = body.map(({ path }) => path)
  return merged([
    ...Object.entries({ query, headers, body }).flatMap(([part, entries]) =>
      entries.map(({ value }, n) => fillErrors(value, known, `${place}.${part}.${n}.value`)),
    ),
    ...headers.map(({ name }, n) => headerErrors(name, `${place}.headers.${n}.name`)),
    repeated(paths, `${place}.body`, 'path'),
    ...paths.flatMap((path, n) =>
      paths.some((other) => other.startsWith(`${path}.`))
        ? [badFormat(`${place}.body.${n}.path`, 'It cannot be both a value and a record.')]
        : [],
    ),
    ...(inBody ? [mustBe(`${place}.method`, 'must be POST or PUT where something is in the body')] : []),
    ...(lives.length > 1 ? [mustBe(place, 'must have only one of expires_in, expires_at, lifetime')] : []),
  ])
}

function oauthErrors({ kind, oauth }: Auth): FieldErrors {
  if (!oauth) return {}
  const byBrowser = kind === 'authorization_code'
  const own = ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'response_type', 'state', 'scope', 'code']
  return merged([
    ...(byBrowser && oauth.authorize_address === undefined ? [required(`${at}.oauth.authorize_address`)] : []),
    ...(byBrowser
      ? []
      : (['authorize_address', 'pkce'] as const).flatMap((name) =>
          oauth[name] === undefined ? [] : [prohibited(`${at}.oauth.${name}`)],
        )),
    ...(oauth.parameters ?? []).flatMap(({ name }, n) =>
      own.includes(name) || name.startsWith('code_')
        ? [badFormat(`${at}.oauth.parameters.${n}.name`, 'It is sent anyway.')]
        : [],
    ),
  ])
}

/** Text goes as it is, but for what stands in braces; and what stands there must be known. */
function fillErrors(value: string, known: readonly string[], place: string): FieldErrors {
  const unknown = [...value.matchAll(/\{([^{}]*)\}/g)].find(([, name = '']) => !known.includes(name))
  if (!unknown) return {}
  const allowed =
    known.length === 0
      ? 'Nothing is filled in here.'
      : `Filled in here: ${known.map((name) => `{${name}}`).join(', ')}.`
  return badFormat(place, allowed)
}

const headerErrors = (name: string | undefined, place: string): FieldErrors =>
  isForbiddenHeader(name) || (name !== undefined && !/^[A-Za-z][A-Za-z0-9_-]*$/.test(name))
    ? badFormat(place, 'It must be the name of a header that does not say how a message is carried.')
    : {}
