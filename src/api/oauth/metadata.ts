import { Type } from 'typebox'
import { deviceGrant } from '../../domain/oauth/device/grant-device-code.ts'
import { publicKeys } from '../../domain/oauth/signing-keys/signing-keys.ts'
import { scopes } from '../../domain/scopes.ts'
import { raw } from '../../runtime/http/endpoint.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'

const texts = Type.Array(Type.String())

const metadata = endpoint({
  group: groups.wellKnown,
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  extension: true,
  summary: 'Describe the OAuth server (RFC 8414)',
  openBecause: 'Open to everybody.',
  returns: raw(
    Type.Object({
      issuer: Type.String(),
      authorization_endpoint: Type.String(),
      token_endpoint: Type.String(),
      device_authorization_endpoint: Type.String(),
      registration_endpoint: Type.String(),
      revocation_endpoint: Type.String(),
      introspection_endpoint: Type.String(),
      jwks_uri: Type.String(),
      scopes_supported: texts,
      response_types_supported: texts,
      grant_types_supported: texts,
      token_endpoint_auth_methods_supported: texts,
      revocation_endpoint_auth_methods_supported: texts,
      introspection_endpoint_auth_methods_supported: texts,
      code_challenge_methods_supported: texts,
      authorization_response_iss_parameter_supported: Type.Boolean(),
      service_documentation: Type.String(),
    }),
  ),
  async handle({ context: { publicUrl } }) {
    const methods = ['client_secret_post', 'client_secret_basic']
    return {
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/oauth/authorize`,
      token_endpoint: `${publicUrl}/oauth/token`,
      device_authorization_endpoint: `${publicUrl}/oauth/device_authorization`,
      registration_endpoint: `${publicUrl}/oauth/register`,
      revocation_endpoint: `${publicUrl}/oauth/revoke`,
      introspection_endpoint: `${publicUrl}/oauth/introspect`,
      jwks_uri: `${publicUrl}/.well-known/jwks.json`,
      scopes_supported: [...scopes],
      response_types_supported: ['code'],
      grant_types_supported: [
        'authorization_code',
        'password',
        'client_credentials',
        'refresh_token',
        'intent_token',
        deviceGrant,
      ],
      // An intent is exchanged by a browser, which keeps no secret; nor does an agent.
      token_endpoint_auth_methods_supported: [...methods, 'none'],
      revocation_endpoint_auth_methods_supported: [...methods, 'none'],
      introspection_endpoint_auth_methods_supported: methods,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${publicUrl}/docs`,
    }
  },
})

const jwks = endpoint({
  group: groups.wellKnown,
  method: 'GET',
  path: '/.well-known/jwks.json',
  extension: true,
  summary: 'Get the public keys that access tokens are signed with',
  openBecause: 'Open to everybody.',
  returns: raw(Type.Object({ keys: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' })) })),
  handle: async ({ context }) => ({ keys: await publicKeys(context.db) }),
})

export const oauthMetadata = [metadata, jwks]
