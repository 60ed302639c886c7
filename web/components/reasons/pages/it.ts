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
  'page.your_software': 'il software con cui lo usa',
  'page.connected_to': 'Ora sono collegati {shop} e {app}.',
  'page.not_let_in': '{shop} non ha permesso l’accesso, o il collegamento non è stato concluso in tempo ({app}).',
  'page.connect_it': 'Collega ora',
  'page.one_more_step': 'Ancora un passo',
  'page.enter_code':
    '{shop} ha permesso l’accesso ({app}). Per unirlo al suo account, acceda e inserisca questo codice:',
  'page.continue_in': 'Continua in {app}',
  'page.code_once':
    'Il codice vale una volta, per dieci minuti; per averne un altro riapra l’app. Fino ad allora dal negozio non si legge nulla. Se nessuno inserisce un codice entro un’ora, l’accesso viene distrutto.',
  'page.code_secret': 'Non mostri il codice a nessuno: chi lo ha può collegare il negozio a un proprio account.',
  'page.done': 'Fatto',
  'page.link_unusable': 'Questo link non funziona',
  'page.link_expired': 'È scaduto, o ciò di cui trattava non c’è più. La console mostra tutti gli avvisi.',
  'link.mute': 'Silenziare gli avvisi',
  'link.mute_one': 'Per un giorno non si invia più nulla a nessuno su questo avviso. Resta nella console.',
  'link.mute_several':
    'Per un giorno non si invia più nulla a nessuno su questi {alerts} avvisi. Restano nella console.',
  'link.mute_button': 'Silenzia per un giorno',
  'link.muted': 'Silenziato per un giorno.',
  'link.stop': 'Fermare gli avvisi',
  'link.stop_about': 'A {address} non si inviano più avvisi.',
  'link.stop_button': 'Non inviarli più',
  'link.stopped': 'A questo indirizzo non si inviano più avvisi.',
  'link.confirm': 'Ricevere avvisi',
  'link.confirm_about': 'D’ora in poi gli avvisi sono inviati a {address}.',
  'link.confirm_button': 'Inviatemi gli avvisi',
  'link.confirmed': 'D’ora in poi gli avvisi sono inviati a questo indirizzo.',
  'link.unsubscribe': 'Niente più lettere',
  'link.unsubscribe_about': 'Questa app non le invia più lettere sui suoi negozi.',
  'link.unsubscribed': 'Non riceverà più queste lettere.',
}
