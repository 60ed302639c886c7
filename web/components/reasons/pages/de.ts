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
}
