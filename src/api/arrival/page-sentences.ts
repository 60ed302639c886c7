import { speaker } from '../../lib/words/wording.ts'

/** Pages that merchants see on the way to a platform and back, and whoever opens a link of an alert. Other languages are in `web/components/reasons`; a test holds them against this. */
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
  'page.your_software': 'the software that you use it with',
  'page.connected_to': '{shop} is connected to {app}.',
  'page.not_let_in': '{shop} has not let {app} in, or nobody has finished the connection in time.',
  'page.connect_it': 'Connect it',
  'page.one_more_step': 'One more step',
  'page.enter_code': '{shop} has let {app} in. To connect it to your account there, sign in and enter this code:',
  'page.continue_in': 'Continue in {app}',
  'page.code_once':
    'The code works once, for ten minutes; open the app again for a new one. Nothing is read from the shop until then. If nobody enters a code within an hour, the access is destroyed.',
  'page.code_secret': 'Show the code to nobody: whoever has it can connect the shop to an account of their own.',
  'page.done': 'Done',
  'page.link_unusable': 'This link does not work',
  'page.link_expired': 'It has expired, or what it was about is no longer there. The console shows all alerts.',
} as const

export const sayOnPage = speaker(pageSentences)
