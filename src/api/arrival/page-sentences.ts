import { speaker } from '../../lib/words/wording.ts'

/** Pages that merchants see on the way to a platform and back. Other languages are in `web/components/reasons`; a test holds them against this. */
export const pageSentences = {
  'page.connect': 'Connect a shop',
  'page.shop': 'Shop',
  'page.app': 'App',
  'page.account': 'Account',
  'page.account_sees':
    'This account will see the orders, customers and products of the shop. Go on only if that is you.',
  'page.app_sees':
    'Whoever uses this app will see the orders, customers and products of the shop. Go on only if that is you.',
  'page.continue': 'Continue to {service}',
  'page.not_begun':
    'If you did not begin this yourself, or do not know the account, close this window: nothing has been connected.',
  'page.connected': 'Connected',
  'page.not_connected': 'Not connected',
  'page.is_connected': '{shop} is connected[ to {account}][ in {app}].',
  'page.close': 'You can close this window.',
  'page.go_back': 'Close this window to go back, and try again there.',
} as const

export const sayOnPage = speaker(pageSentences)
