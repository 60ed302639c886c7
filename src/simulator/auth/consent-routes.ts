import { answer, type Call, type RouteRow } from '../http/route.ts'
import { type Fields, textOf } from '../json.ts'
import { consentPage, decisionIn, noPage } from './consent-page.ts'

type Outcome = Readonly<Record<string, string>>

export interface ConsentFacts {
  path: string
  shop: string | ((call: Call) => string)
  /** Whether the question is one that the app may ask. */
  isKnown(fields: Fields): boolean
  /** What the app wants to do: its scopes, unless the platform has its own words. */
  wishes?(fields: Fields): readonly string[]
  /** Where an app waits that names its address instead of telling it. */
  addressOf?(named: string): string
  /** What goes back to the app, beside its state, when it is let in. */
  allowed(fields: Fields, redirect: string): Outcome
  /** Whatever was decided: with what the platform adds to it, such as a signature. */
  sealed?(outcome: Outcome, call: Call): Outcome
}

const denial = { error: 'access_denied', error_description: 'The merchant did not let the app in.' }

/** The page on which an app is let in (OAuth 2), and what its buttons do: back to the app, with a code or without. */
export function consentRoutes(facts: ConsentFacts): readonly RouteRow[] {
  const { path, shop, isKnown, allowed, addressOf = (named) => named, sealed = (made) => made } = facts
  const { wishes = ({ scope }) => (textOf(scope) ?? '').split(/[\s,]+/) } = facts
  const redirectIn = (fields: Fields): URL | string => {
    const redirect = URL.parse(addressOf(textOf(fields['redirect_uri']) ?? ''))
    const usable = redirect !== null && /^https?:$/.test(redirect.protocol)
    if (!isKnown(fields)) return 'This app is not known here, or asks in a way that is not allowed.'
    return usable ? redirect : 'The app does not say where you are to return to.'
  }
  return [
    [
      ...(['GET', path, 'oauth.authorize'] as const),
      (call) => {
        const fields = Object.fromEntries(call.query)
        const redirect = redirectIn(fields)
        if (typeof redirect === 'string') return noPage(400, redirect)
        const question = { app: `The app at ${redirect.host}`, wishes: wishes(fields), fields: call.query }
        return consentPage({ shop: typeof shop === 'string' ? shop : shop(call), ...question })
      },
      { open: true, sheltered: true },
    ],
    [
      ...(['POST', path, 'oauth.decide'] as const),
      (call) => {
        const fields = call.fields()
        const redirect = redirectIn(fields)
        const decision = decisionIn(fields)
        if (typeof redirect === 'string') return noPage(400, redirect)
        if (decision === null) return noPage(400, 'Nothing was decided.')
        const outcome = decision === 'allow' ? allowed(fields, textOf(fields['redirect_uri']) ?? '') : denial
        const state = textOf(fields['state'])
        const back = sealed({ ...outcome, ...(state === null ? {} : { state }) }, call)
        for (const [name, value] of Object.entries(back)) redirect.searchParams.set(name, value)
        return answer(302, undefined, { location: redirect.href })
      },
      { open: true, sheltered: true },
    ],
  ]
}
