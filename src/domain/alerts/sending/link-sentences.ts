import { speaker } from '../../../lib/words/wording.ts'

/** What links in letters and chats about alerts do. Other languages are in `web/components/reasons`; a test holds them against this. */
export const linkSentences = {
  'link.mute': 'Mute alerts',
  'link.mute_one': 'For a day, nothing more is sent about this alert, to anybody. It stays in the console.',
  'link.mute_several':
    'For a day, nothing more is sent about these {alerts} alerts, to anybody. They stay in the console.',
  'link.mute_button': 'Mute for a day',
  'link.muted': 'Muted for a day.',
  'link.stop': 'Stop alerts',
  'link.stop_about': 'No more alerts are sent to {address}.',
  'link.stop_button': 'Stop them',
  'link.stopped': 'No more alerts are sent to this address.',
  'link.confirm': 'Receive alerts',
  'link.confirm_about': 'From now on alerts are sent to {address}.',
  'link.confirm_button': 'Send me alerts',
  'link.confirmed': 'Alerts are sent to this address from now on.',
  'link.unsubscribe': 'No more letters',
  'link.unsubscribe_about': 'No more letters about your shops are sent to you by this app.',
  'link.unsubscribed': 'You get no more of these letters.',
} as const

export const linkWords = speaker(linkSentences, (n) => n.toLocaleString('en'))
