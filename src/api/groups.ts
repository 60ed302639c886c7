import type { Group } from '../runtime/http/endpoint.ts'

/** The audiences of the API: where they live, which token opens them, how often they may call. */
export const groups = {
  oauth: {
    name: 'OAuth',
    description: 'Obtain, refresh, inspect and revoke tokens.',
    prefix: '',
    caller: null,
    rate: 'token',
  },
  wellKnown: {
    name: 'OAuth',
    description: 'Obtain, refresh, inspect and revoke tokens.',
    prefix: '',
    caller: null,
    rate: null,
  },
  user: {
    name: 'USER',
    description: 'For users, with a token of the password grant.',
    prefix: '/api/2.0/user',
    idempotent: true,
    caller: 'user',
    rate: 'user',
  },
  app: {
    name: 'APP',
    description: 'For client applications, with a token of the client credentials grant.',
    prefix: '/api/2.0/app',
    idempotent: true,
    caller: 'client',
    rate: 'client',
  },
  webcomponent: {
    name: 'WEBCOMPONENT',
    description: 'For embedded components, with an account token.',
    prefix: '/api/2.0/webcomponent',
    idempotent: true,
    caller: 'account',
    rate: 'account',
  },
  alerts: {
    name: 'ALERTS',
    description: 'Links in messages about alerts: each does one thing, and works for a while.',
    prefix: '/api/2.0/alerts',
    caller: null,
    rate: null,
  },
  platforms: {
    name: 'PLATFORMS',
    description:
      'For platforms and the browsers that they send: addresses that are entered where an app is registered.',
    prefix: '/api/2.0/platforms',
    caller: null,
    rate: null,
  },
  /** Its answers are JSON-RPC, and its 401 says where a token is to be had: so it looks at the token itself. */
  mcp: {
    name: 'MCP',
    description: 'For agents, with a token that a person gave them: the Model Context Protocol.',
    prefix: '',
    caller: null,
    rate: null,
    countsTokens: 'agent',
  },
  /** The sign-in page is for everybody, and counted like the token endpoint. */
  consoleEntrance: {
    name: 'CONSOLE',
    description: 'For the pages of the console: a session in a cookie.',
    prefix: '/console',
    caller: null,
    rate: 'token',
  },
  /** Many may be signed out there at once: only what is refused is counted. */
  identityProviders: {
    name: 'CONSOLE',
    description: 'For the pages of the console: a session in a cookie.',
    prefix: '/console',
    caller: null,
    rate: null,
  },
  console: {
    name: 'CONSOLE',
    description: 'For the pages of the console: a session in a cookie.',
    prefix: '/console',
    caller: 'user',
    rate: 'user',
  },
  v1: {
    name: 'Version 1.0',
    description: 'Legacy, for users with a token of the password grant. New work belongs in version 2.0.',
    prefix: '/api/1.0',
    caller: 'user',
    rate: 'user',
    // No date is announced, so there is no `Deprecation`; where the way leads is said all the same.
    headers: { link: '</docs/guides/migrate-1-to-2>; rel="successor-version"' },
  },
} as const satisfies Record<string, Group>
