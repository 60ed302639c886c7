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
  'page.your_software': 'oprogramowanie, z którym go Państwo używają',
  'page.connected_to': 'Połączono: {shop} i {app}.',
  'page.not_let_in': '{shop}: nie udzielono dostępu albo połączenia nie dokończono na czas ({app}).',
  'page.connect_it': 'Połącz teraz',
  'page.one_more_step': 'Jeszcze jeden krok',
  'page.enter_code':
    '{shop}: udzielono dostępu ({app}). Aby przypisać sklep do swojego konta, proszę się tam zalogować i wpisać ten kod:',
  'page.continue_in': 'Dalej w {app}',
  'page.code_once':
    'Kod działa raz, przez dziesięć minut; po nowy proszę ponownie otworzyć aplikację. Do tego czasu ze sklepu nic nie jest odczytywane. Jeśli w ciągu godziny nikt nie wpisze kodu, dostęp zostanie zniszczony.',
  'page.code_secret': 'Proszę nikomu nie pokazywać kodu: kto go ma, może połączyć sklep z własnym kontem.',
  'page.done': 'Gotowe',
  'page.link_unusable': 'Ten link nie działa',
  'page.link_expired': 'Wygasł albo tego, czego dotyczył, już nie ma. Konsola pokazuje wszystkie alerty.',
  'link.mute': 'Wycisz alerty',
  'link.mute_one': 'Przez jeden dzień nikt nie dostanie nic więcej o tym alercie. W konsoli pozostanie.',
  'link.mute_several':
    'Przez jeden dzień nikt nie dostanie nic więcej o tych alertach (liczba: {alerts}). W konsoli pozostaną.',
  'link.mute_button': 'Wycisz na jeden dzień',
  'link.muted': 'Wyciszono na jeden dzień.',
  'link.stop': 'Zatrzymaj alerty',
  'link.stop_about': 'Na adres {address} nie są już wysyłane alerty.',
  'link.stop_button': 'Nie wysyłaj więcej',
  'link.stopped': 'Na ten adres nie są już wysyłane alerty.',
  'link.confirm': 'Otrzymuj alerty',
  'link.confirm_about': 'Od teraz alerty są wysyłane na adres {address}.',
  'link.confirm_button': 'Wysyłaj mi alerty',
  'link.confirmed': 'Od teraz alerty są wysyłane na ten adres.',
  'link.unsubscribe': 'Koniec listów',
  'link.unsubscribe_about': 'Ta aplikacja nie wysyła już Państwu listów o sklepach.',
  'link.unsubscribed': 'Nie będą Państwo już otrzymywać tych listów.',
}
