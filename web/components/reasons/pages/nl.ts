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
  'page.your_software': 'de software waarmee u haar gebruikt',
  'page.connected_to': '{shop} en {app} zijn nu verbonden.',
  'page.not_let_in': '{shop} heeft geen toegang gegeven, of de verbinding is niet op tijd afgemaakt ({app}).',
  'page.connect_it': 'Nu verbinden',
  'page.one_more_step': 'Nog één stap',
  'page.enter_code':
    '{shop} heeft toegang gegeven ({app}). Om haar daar aan uw account te koppelen, logt u in en voert u deze code in:',
  'page.continue_in': 'Verder in {app}',
  'page.code_once':
    'De code werkt één keer, tien minuten lang; open de app opnieuw voor een nieuwe. Tot dan wordt er niets uit de winkel gelezen. Voert niemand binnen een uur een code in, dan wordt de toegang vernietigd.',
  'page.code_secret': 'Laat de code aan niemand zien: wie haar heeft, kan de winkel aan een eigen account koppelen.',
  'page.done': 'Klaar',
  'page.link_unusable': 'Deze link werkt niet',
  'page.link_expired': 'Hij is verlopen, of waar het om ging bestaat niet meer. De console toont alle waarschuwingen.',
  'link.mute': 'Waarschuwingen dempen',
  'link.mute_one':
    'Eén dag lang wordt over deze waarschuwing niemand meer iets gestuurd. In de console blijft ze staan.',
  'link.mute_several':
    'Eén dag lang wordt over deze {alerts} waarschuwingen niemand meer iets gestuurd. In de console blijven ze staan.',
  'link.mute_button': 'Eén dag dempen',
  'link.muted': 'Eén dag gedempt.',
  'link.stop': 'Waarschuwingen stoppen',
  'link.stop_about': 'Naar {address} worden geen waarschuwingen meer gestuurd.',
  'link.stop_button': 'Niet meer sturen',
  'link.stopped': 'Naar dit adres worden geen waarschuwingen meer gestuurd.',
  'link.confirm': 'Waarschuwingen ontvangen',
  'link.confirm_about': 'Vanaf nu worden waarschuwingen naar {address} gestuurd.',
  'link.confirm_button': 'Stuur mij waarschuwingen',
  'link.confirmed': 'Vanaf nu worden waarschuwingen naar dit adres gestuurd.',
  'link.unsubscribe': 'Geen brieven meer',
  'link.unsubscribe_about': 'Deze app stuurt u geen brieven meer over uw winkels.',
  'link.unsubscribed': 'U krijgt deze brieven niet meer.',
}
