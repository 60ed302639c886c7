import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { api, ask } from '../api.ts'

/** What goes on between the service, the browser and an authenticator. The service writes the options for the browser: nobody else reads them. */

/** Browsers have none for pages without TLS, nor for mere IP addresses. */
export const passkeysWork = (): boolean =>
  'PublicKeyCredential' in window && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname)

export async function addPasskey(current_password: string, name: string) {
  const options = await ask(api.POST('/api/2.0/user/passkeys/options', { body: { current_password } }))
  const optionsJSON = options.data as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, rawId, response } = await started(startRegistration({ optionsJSON }))
  const { clientDataJSON, attestationObject, transports = [] } = response
  const given = { clientDataJSON, attestationObject, transports: transports.filter(isKnownWay) }
  const body = { name, response: { id, rawId, type: 'public-key' as const, response: given } }
  return (await ask(api.POST('/api/2.0/user/passkeys', { body }))).data
}

export async function signInByPasskey(ticket: string | null): Promise<void> {
  const options = await ask(api.POST('/console/session/passkey/options', { body: { ticket } }))
  const optionsJSON = options.data as unknown as PublicKeyCredentialRequestOptionsJSON
  const { id, rawId, response } = await started(startAuthentication({ optionsJSON }))
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const given = { clientDataJSON, authenticatorData, signature, ...(userHandle !== undefined && { userHandle }) }
  const body = { ticket, response: { id, rawId, type: 'public-key' as const, response: given } }
  await ask(api.POST('/console/session/passkey', { body }))
}

const ways = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const isKnownWay = (way: string): way is (typeof ways)[number] => ways.some((known) => known === way)

/** What browsers say when somebody closes their dialog is for nobody's eyes. */
async function started<T>(ceremony: Promise<T>): Promise<T> {
  try {
    return await ceremony
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError'
    throw new Error(isKnown ? 'This device has a passkey for you already.' : 'No passkey was given.')
  }
}
