import type { ReasonWords } from '../index.ts'

/** Pages on the way to a platform and back. */
export const pages: ReasonWords = {
  'page.connect': 'Shop verbinden',
  'page.shop': 'Shop',
  'page.app': 'App',
  'page.account': 'Konto',
  'page.account_sees':
    'Dieses Konto wird Bestellungen, Kunden und Artikel des Shops sehen. Machen Sie nur weiter, wenn es Ihres ist.',
  'page.app_sees':
    'Wer diese App nutzt, wird Bestellungen, Kunden und Artikel des Shops sehen. Machen Sie nur weiter, wenn Sie das sind.',
  'page.continue': 'Weiter zu {service}',
  'page.not_begun':
    'Wenn Sie das nicht selbst begonnen haben oder das Konto nicht kennen, schließen Sie dieses Fenster: Es wurde nichts verbunden.',
  'page.connected': 'Verbunden',
  'page.not_connected': 'Nicht verbunden',
  'page.is_connected': '{shop} ist verbunden[ mit {account}][ in {app}].',
  'page.close': 'Sie können dieses Fenster schließen.',
  'page.go_back': 'Schließen Sie dieses Fenster und versuchen Sie es dort, wo Sie herkommen, noch einmal.',
  'page.your_software': 'die Software, mit der Sie ihn nutzen',
  'page.connected_to': 'Verbunden sind jetzt {shop} und {app}.',
  'page.not_let_in':
    '{shop} hat den Zugang nicht erlaubt, oder die Verbindung wurde nicht rechtzeitig beendet ({app}).',
  'page.connect_it': 'Jetzt verbinden',
  'page.one_more_step': 'Noch ein Schritt',
  'page.enter_code':
    '{shop} hat den Zugang erlaubt ({app}). Damit er zu Ihrem Konto dort kommt, melden Sie sich an und geben diesen Code ein:',
  'page.continue_in': 'Weiter in {app}',
  'page.code_once':
    'Der Code gilt einmal und zehn Minuten lang; für einen neuen öffnen Sie die App noch einmal. Bis dahin wird aus dem Shop nichts gelesen. Gibt innerhalb einer Stunde niemand einen Code ein, wird der Zugang vernichtet.',
  'page.code_secret': 'Zeigen Sie den Code niemandem: Wer ihn hat, kann den Shop mit einem eigenen Konto verbinden.',
  'page.done': 'Erledigt',
  'page.link_unusable': 'Dieser Link geht nicht',
  'page.link_expired':
    'Er ist abgelaufen, oder das, worum es ging, gibt es nicht mehr. In der Konsole stehen alle Warnungen.',
  'link.mute': 'Warnungen stummschalten',
  'link.mute_one': 'Einen Tag lang wird zu dieser Warnung niemandem mehr etwas geschickt. In der Konsole bleibt sie.',
  'link.mute_several':
    'Einen Tag lang wird zu diesen {alerts} Warnungen niemandem mehr etwas geschickt. In der Konsole bleiben sie.',
  'link.mute_button': 'Einen Tag lang stumm',
  'link.muted': 'Einen Tag lang stumm.',
  'link.stop': 'Keine Warnungen mehr',
  'link.stop_about': 'An {address} werden keine Warnungen mehr geschickt.',
  'link.stop_button': 'Nicht mehr schicken',
  'link.stopped': 'An diese Adresse werden keine Warnungen mehr geschickt.',
  'link.confirm': 'Warnungen erhalten',
  'link.confirm_about': 'Ab jetzt werden Warnungen an {address} geschickt.',
  'link.confirm_button': 'Schickt mir Warnungen',
  'link.confirmed': 'Ab jetzt werden Warnungen an diese Adresse geschickt.',
  'link.unsubscribe': 'Keine Briefe mehr',
  'link.unsubscribe_about': 'Diese App schickt Ihnen keine Briefe mehr über Ihre Shops.',
  'link.unsubscribed': 'Sie bekommen keine dieser Briefe mehr.',
}
