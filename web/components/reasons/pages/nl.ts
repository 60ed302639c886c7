import type { ReasonWords } from '../index.ts'

/** Pages on the way to a platform and back. */
export const pages: ReasonWords = {
  'page.connect': 'Een winkel koppelen',
  'page.shop': 'Winkel',
  'page.app': 'App',
  'page.account': 'Account',
  'page.account_sees':
    'Dit account krijgt de bestellingen, klanten en producten van de winkel te zien. Ga alleen verder als het van u is.',
  'page.app_sees':
    'Wie deze app gebruikt, krijgt de bestellingen, klanten en producten van de winkel te zien. Ga alleen verder als u dat bent.',
  'page.continue': 'Verder naar {service}',
  'page.not_begun':
    'Bent u hier niet zelf aan begonnen of kent u het account niet, sluit dan dit venster: er is niets gekoppeld.',
  'page.connected': 'Gekoppeld',
  'page.not_connected': 'Niet gekoppeld',
  'page.is_connected': '{shop} is gekoppeld[ aan {account}][ in {app}].',
  'page.close': 'U kunt dit venster sluiten.',
  'page.go_back': 'Sluit dit venster om terug te gaan en probeer het daar opnieuw.',
}
