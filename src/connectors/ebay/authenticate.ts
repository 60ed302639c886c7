import type { RemoteCall } from '../../commerce/connector.ts'
import type { RemoteRequest } from '../../commerce/remote.ts'
import { postOrder } from './ask.ts'
import type { Credentials, EbayFacts } from './settings.ts'
import { isToBeSigned, withSignature } from './sign-message.ts'

/** The older interface has another name for tokens; some calls are signed besides, where the app has keys for it. */
export function authenticate(
  request: RemoteRequest,
  { access_token: token, signing_jwe: jwe, signing_private_key: privateKey }: Credentials,
  _: EbayFacts,
  call: RemoteCall,
): RemoteRequest {
  const authorization = `${request.path.startsWith(postOrder) ? 'IAF' : 'Bearer'} ${token}`
  const known = { ...request, headers: { ...request.headers, authorization } }
  return jwe && privateKey && isToBeSigned(known) ? withSignature(known, { jwe, privateKey }, call) : known
}
