import type { ReasonWords } from '../index.ts'

/** Pages on the way to a platform and back. */
export const pages: ReasonWords = {
  'page.connect': 'Collega un negozio',
  'page.shop': 'Negozio',
  'page.app': 'App',
  'page.account': 'Account',
  'page.account_sees':
    'Questo account vedrà gli ordini, i clienti e i prodotti del negozio. Prosegua solo se è il suo.',
  'page.app_sees': 'Chi usa questa app vedrà gli ordini, i clienti e i prodotti del negozio. Prosegua solo se è lei.',
  'page.continue': 'Continua su {service}',
  'page.not_begun':
    'Se non ha iniziato lei questa operazione, o non conosce l’account, chiuda questa finestra: non è stato collegato nulla.',
  'page.connected': 'Collegato',
  'page.not_connected': 'Non collegato',
  'page.is_connected': '{shop} è collegato[ a {account}][ in {app}].',
  'page.close': 'Può chiudere questa finestra.',
  'page.go_back': 'Chiuda questa finestra per tornare indietro e riprovi da lì.',
}
