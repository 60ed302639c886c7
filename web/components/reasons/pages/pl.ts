import type { ReasonWords } from '../index.ts'

/** Pages on the way to a platform and back. */
export const pages: ReasonWords = {
  'page.connect': 'Połącz sklep',
  'page.shop': 'Sklep',
  'page.app': 'Aplikacja',
  'page.account': 'Konto',
  'page.account_sees':
    'To konto będzie widzieć zamówienia, klientów i produkty sklepu. Przejdź dalej tylko wtedy, gdy jest Twoje.',
  'page.app_sees':
    'Każdy, kto korzysta z tej aplikacji, będzie widzieć zamówienia, klientów i produkty sklepu. Przejdź dalej tylko wtedy, gdy to Ty.',
  'page.continue': 'Przejdź do {service}',
  'page.not_begun':
    'Jeśli to nie Ty to rozpoczynasz albo nie znasz tego konta, zamknij to okno: nic nie zostało połączone.',
  'page.connected': 'Połączono',
  'page.not_connected': 'Nie połączono',
  'page.is_connected': '{shop}: połączono[ z kontem {account}][ w aplikacji {app}].',
  'page.close': 'Możesz zamknąć to okno.',
  'page.go_back': 'Zamknij to okno, aby wrócić, i spróbuj tam ponownie.',
}
