/**
 * What a page may use of each element, said once: the manifest and the types of frameworks are written from it
 * (`scripts/components`), and a test holds it against the elements themselves.
 */
export interface Member {
  /** The attribute; null where only a property can carry it. */
  attribute: string | null
  property: string
  /** In TypeScript. */
  type: string
  about: string
}

export interface Emitted {
  name: string
  /** Of `detail`, in TypeScript. */
  detail: string
  about: string
}

export interface Described {
  tag: string
  /** Of the type that stands for it. */
  name: string
  about: string
  members: readonly Member[]
  events: readonly Emitted[]
  /** What `::part()` reaches. */
  parts: readonly string[]
}

const integration = (about: string): Member => ({
  ...{ attribute: 'integration', property: 'integration', type: 'string', about },
})

/** Of every element. */
export const commonMembers: readonly Member[] = [
  {
    ...{ attribute: 'base-url', property: 'baseUrl', type: 'string' },
    about: 'Where the service is; the origin of the script by default.',
  },
  {
    ...{ attribute: 'token', property: 'token', type: 'string | null' },
    about: 'An account token. It ends after an hour: `getToken` is better.',
  },
  {
    ...{ attribute: null, property: 'getToken', type: '(() => Promise<string | null> | string | null) | null' },
    about: 'Gives an account token whenever one is needed.',
  },
  { attribute: 'lang', property: 'lang', type: 'string', about: 'The language; that of the page by default.' },
]

export const commonParts: readonly string[] = ['problem', 'badge']

const changed: Emitted = {
  ...{ name: 'entrepot-changed', detail: '{ integration_id: number }' },
  about: 'Something was done to a shop, or a schedule was saved.',
}

const connected: readonly Emitted[] = [
  {
    ...{ name: 'entrepot-connected', detail: '{ integration_id: number; type: string; shop: string }' },
    about: 'A shop has been connected, for the first time or again.',
  },
  {
    ...{ name: 'entrepot-connect-failed', detail: '{ message: string }' },
    about: 'Refused, denied, or the window was closed.',
  },
]

export const elements: readonly Described[] = [
  {
    ...{ tag: 'entrepot-connect', name: 'EntrepotConnect' },
    about: 'Pick a platform, name the shop, let us in by browser or keys.',
    members: [
      {
        ...{ attribute: 'service', property: 'service', type: 'string | null' },
        about: 'The type of a service: leaves the choice out.',
      },
      { ...integration('The id of an integration: connects this shop again.'), type: 'string | null' },
      {
        ...{ attribute: 'claim-code', property: 'claimCode', type: 'string | null' },
        about: 'Opens the field for the code of a shop that was installed from its platform.',
      },
    ],
    events: connected,
    parts: ['connect', 'services', 'service', 'submit', 'known', 'done', 'where'],
  },
  {
    ...{ tag: 'entrepot-integrations', name: 'EntrepotIntegrations' },
    about: 'The merchant’s shops, how each one is, and what can be done about it.',
    members: [],
    events: [
      changed,
      {
        ...{ name: 'entrepot-uninstalled', detail: '{ integration_id: number }' },
        about: 'A shop was disconnected.',
      },
      ...connected,
    ],
    parts: ['integrations', 'integration', 'statuses', 'progress'],
  },
  {
    ...{ tag: 'entrepot-schedules', name: 'EntrepotSchedules' },
    about: 'What runs by itself and when, chosen in words.',
    members: [integration('The id of the integration; required.')],
    events: [changed],
    parts: ['schedules', 'schedule'],
  },
  {
    ...{ tag: 'entrepot-logs', name: 'EntrepotLogs' },
    about: 'What has happened, newest first, live.',
    members: [integration('The id of the integration; required.')],
    events: [],
    parts: ['logs', 'entries', 'entry'],
  },
  {
    ...{ tag: 'entrepot-order', name: 'EntrepotOrder' },
    about: 'Every step of one order as a timeline; for one that is not there, why.',
    members: [
      {
        ...{ attribute: 'number', property: 'number', type: 'string' },
        about: 'The number of the order; it asks for one if that is missing.',
      },
      integration('Narrows it to one shop, whose latest orders are there to choose from.'),
    ],
    events: [],
    parts: ['order', 'timeline', 'step'],
  },
  {
    ...{ tag: 'entrepot-stock', name: 'EntrepotStock' },
    about: 'The stock that the merchant’s shops share; articles are counted where the token may.',
    members: [],
    events: [
      {
        ...{ name: 'entrepot-counted', detail: '{ sku: string; quantity: number }' },
        about: 'An article was counted.',
      },
    ],
    parts: ['stock', 'articles', 'article'],
  },
]
