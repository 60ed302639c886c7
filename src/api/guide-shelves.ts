/** Which guides there are, in the order in which somebody new needs them, and what each is for in one sentence. */
interface Shelf {
  title: string
  guides: Readonly<Record<string, string>>
}

export const shelves: readonly Shelf[] = [
  {
    title: 'Start',
    guides: {
      'quick-start':
        'From nothing to orders in your software, a webhook, and a page on which merchants connect their shops.',
      simulator: 'Shops on imitated platforms, to try everything without an account anywhere.',
      'command-line': 'Everything that the API does, from a terminal, on any instance.',
    },
  },
  {
    title: 'Connect shops',
    guides: {
      'install-flows':
        'In the browser, with keys, or from the platform’s own pages: what your software does in each case.',
      components: 'Elements for your own pages: connect a shop, see its state, its log, its orders and its stock.',
      platforms: 'What each platform offers, what it does not, and how fast it may be asked.',
      connectors: 'How a connector works, and how to describe a service of your own.',
      'try-your-own-store': 'Run the conformance suite against a real store of yours.',
    },
  },
  {
    title: 'Build',
    guides: {
      orders: 'Lists, changes since the last call, retries that do nothing twice, and where an order is.',
      webhooks: 'Signed events from Entrepot to your software: guarantees, retries, resending, secrets.',
      'inbound-webhooks': 'What shops send, how it is verified and processed, and what to do when something fails.',
      'one-stock': 'Shops that sell the same goods never sell what is not there.',
      agents: 'Give a program with a language model access, with limits and approvals.',
      client: 'The API in TypeScript: typed, with tokens that renew themselves.',
      'quick-start-php': 'A token, orders and a verified webhook, in Laravel, with Guzzle or in plain PHP.',
      'quick-start-python': 'A token, orders and a verified webhook, with nothing but the standard library.',
      'migrate-1-to-2': 'What replaces each call of version 1.0, one call at a time.',
      'api-changelog': 'What was added to the API, and what was changed.',
    },
  },
  {
    title: 'Run it',
    guides: {
      deploy: 'Docker, Compose, Kubernetes, systemd or a package: from nothing to a running service.',
      operate: 'Processes, settings, keys, backups, upgrades, hardening.',
      monitoring: 'Metrics, dashboards and alert rules, and what to do about each alert.',
      alerts: 'Who is told when a shop breaks or an order is about to be late, and where.',
      scaling: 'What one machine carries, what gives way next, and what to do then.',
    },
  },
  {
    title: 'People and data',
    guides: {
      'sign-in': 'Passwords, passkeys, second factors, single sign-on.',
      rights: 'Roles, permissions and scopes, for every endpoint.',
      privacy: 'What is kept about people, where, for how long, and how it is erased.',
    },
  },
]
