import type { FieldTexts } from '../index.ts'

const asked = 'Pytamy o to sklep.'
const serverAsked = 'Pytamy o to serwer.'
const currency = 'Waluta'
const administration = {
  label: 'Adres panelu administracyjnego',
  help: 'Adres panelu administracyjnego sklepu, do linków do jego zamówień (`admin_url`).',
}
const server = {
  label: 'Pełny adres serwera',
  help: 'Gdzie odpowiada serwer, jeśli nie jest to https:// i nazwa sklepu.',
}
const shop = {
  label: 'Pełny adres sklepu',
  help: 'Adres sklepu, jeśli to więcej niż sam host: ze ścieżką, z portem lub bez TLS. Domyślnie https i sam host.',
}
const header = 'Hosting usuwa nagłówek Authorization'
const shippedBy = {
  label: 'Zamówienia wysyła',
  help: 'Które zamówienia są odczytywane; domyślnie te, które sprzedawca wysyła sam.',
}
const samples = 'Korzysta z piaskownicy, która odpowiada stałymi przykładami.'

export const settings: FieldTexts = {
  'amazon.marketplace': {
    label: 'Rynek',
    help: 'Kraj rynku, do którego należą oferty i stany magazynowe; stamtąd odczytywane są zamówienia.',
  },
  'amazon.fulfilled_by': { ...shippedBy, choices: { merchant: 'sprzedawca', amazon: 'Amazon', all: 'ktokolwiek' } },
  'amazon.buyer_data': {
    label: 'Odczytuj nazwiska i adresy kupujących',
    help: 'Czy pytać o nazwiska i adresy; wymaga ról z ograniczeniami (restricted roles). Domyślnie tak.',
  },
  'amazon.sandbox': { label: 'Piaskownica Amazon', help: samples },
  'medusa.admin_address': administration,
  'medusa.base_url': server,
  'medusa.location_id': {
    label: 'ID lokalizacji magazynowej',
    help: 'Lokalizacja, z której wysyłany jest towar i w której ustawiany jest stan, gdy żadnej nie podano.',
  },
  'medusa.follow_days': {
    label: 'Dni porównywania zamówień',
    help: 'Przez ile dni od złożenia zamówienie jest porównywane pod kątem częściowych płatności; domyślnie 90.',
  },
  'medusa.currency': { label: 'Waluta cen', help: `Która cena produktu jest używana. ${serverAsked}` },
  'shopify.notify_customers': {
    label: 'Shopify powiadamia klientów',
    help: 'Shopify pisze do kupującego, gdy towar zostanie wysłany lub zamówienie anulowane. Domyślnie nie.',
  },
  'shopify.wait_for_capture': {
    label: 'Czekaj na pobranie płatności',
    help: 'Zamówienia z autoryzowaną płatnością czekają na jej pobranie. Domyślnie nie: zwykle pobiera się ją przy wysyłce.',
  },
  'shopify.send_unpaid': {
    label: 'Wysyłaj zamówienia z oczekującą płatnością',
    help: 'Zamówienia z oczekującą płatnością mogą być wysyłane: na fakturę lub za pobraniem. Domyślnie nie.',
  },
  'shopify.refund_cancelled': {
    label: 'Zwracaj pieniądze za anulowane zamówienia',
    help: 'Za anulowane zamówienie pieniądze wracają tą samą drogą, którą zapłacono. Domyślnie nie.',
  },
  'vendure.admin_address': administration,
  'vendure.base_url': server,
  'vendure.admin_api_path': { label: 'Ścieżka Admin API', help: 'Pod adresem serwera; domyślnie admin-api.' },
  'vendure.channel_token': {
    label: 'Token kanału',
    help: 'Który kanał serwera (channel token); domyślnie jego kanał domyślny.',
  },
  'vendure.page_size': {
    label: 'Rekordy na zapytanie',
    help: 'Ile rekordów pobierać naraz; domyślnie 100. Nie więcej niż adminListQueryLimit serwera.',
  },
  'vendure.follow_days': {
    label: 'Dni śledzenia zamówień',
    help: 'Przez ile dni od złożenia wysłane zamówienie jest jeszcze sprawdzane pod kątem zmian; domyślnie 90.',
  },
  'vendure.settle_on_shipping': {
    label: 'Rozliczaj płatności przy wysyłce',
    help: 'Czy autoryzowane płatności są rozliczane przed wysyłką; domyślnie tak.',
  },
  'vendure.fulfillment_handler': {
    label: 'Obsługa realizacji',
    help: 'Kod obsługi realizacji (fulfillment handler); domyślnie manual-fulfillment.',
  },
  'vendure.money_precision': {
    label: 'Miejsca po przecinku w kwotach',
    help: `Miejsca po przecinku w kwotach podawanych jako liczby całkowite. ${serverAsked}`,
  },
  'vendure.currency': { label: currency, help: `Waluta kanału. ${serverAsked}` },
  'vendure.language': { label: 'Język', help: `Język kanału. ${serverAsked}` },
  'walmart.fulfilled_by': {
    ...shippedBy,
    choices: { seller: 'sprzedawca', walmart: 'Walmart', third_party: 'ktoś trzeci', all: 'ktokolwiek' },
  },
  'walmart.tracking_url': {
    label: 'Adres śledzenia przesyłek',
    help: 'Gdzie śledzić paczki przewoźników, których Walmart nie zna; {number} to numer przesyłki.',
  },
  'walmart.sandbox': { label: 'Piaskownica Walmart', help: samples },
  'woocommerce.base_url': {
    label: 'Pełny adres witryny',
    help: 'Adres witryny, jeśli to więcej niż sam host: ze ścieżką, z portem lub bez TLS. Domyślnie https i sam host.',
  },
  'woocommerce.keys_in_query': {
    label: header,
    help: 'Dla hostingów, które usuwają nagłówek Authorization: klucze są w adresie zapytania, wysyłanego wyłącznie przez https.',
  },
  'woocommerce.shipped_status': {
    label: 'Status wysłanych zamówień',
    help: 'Status, który zamówienie otrzymuje po wysłaniu całości, bez „wc-”; domyślnie „completed”.',
  },
  'woocommerce.refund_payments': {
    label: 'Wypłacaj zwroty',
    help: 'Zwroty wypłaca bramka płatności zamówienia; domyślnie tak. W przeciwnym razie są tylko zapisywane.',
  },
  'woocommerce.plain_permalinks': {
    label: 'Proste bezpośrednie odnośniki',
    help: 'Dla witryn z bezpośrednimi odnośnikami ustawionymi na „Prosty” (Plain): interfejs jest pytany pod innym adresem. Wykrywane automatycznie.',
  },
  'magento.admin_address': administration,
  'magento.base_url': shop,
  'magento.store_code': {
    label: 'Kod widoku sklepu',
    help: 'Widok sklepu (store view), którego dane są odczytywane; domyślnie wszystkie.',
  },
  'magento.source_code': {
    label: 'Kod źródła zapasów',
    help: 'Źródło, w którym ustawiany jest stan i z którego wychodzą paczki, jeśli nie podano inaczej; domyślnie „default”.',
  },
  'magento.attribute_set_id': {
    label: 'Zestaw atrybutów nowych produktów',
    help: 'Zestaw tworzonych produktów; domyślnie 4.',
  },
  'magento.stock': {
    label: 'Źródła zapasów',
    help: 'Czy jest kilka źródeł. Bez odpowiedzi pytamy o to sklep.',
    choices: { sources: 'kilka', single: 'jedno' },
  },
  'magento.levels_count': {
    label: 'Co liczą stany',
    help: 'Co liczą ustawiane stany: to, co można sprzedać, do czego dochodzi to, co rezerwują otwarte zamówienia; albo to, co leży w magazynie. Domyślnie to, co można sprzedać.',
    choices: { available: 'to, co można sprzedać', on_hand: 'to, co leży w magazynie' },
  },
  'magento.notify_customers': {
    label: 'Sklep powiadamia klientów',
    help: 'Czy sklep pisze do kupującego o paczkach i zwrotach, gdy zapytanie tego nie określa; domyślnie tak.',
  },
  'magento.currency': { label: currency, help: `Waluta cen produktów. ${asked}` },
  'magento.weight_unit': { label: 'Jednostka wagi', help: asked, choices: { kgs: 'kg', lbs: 'lb' } },
  'magento.media_url': { label: 'Adres obrazów', help: `Gdzie są obrazy. ${asked}` },
  'prestashop.admin_address': administration,
  'prestashop.base_url': shop,
  'prestashop.key_in_query': {
    label: header,
    help: 'Dla hostingów, które usuwają nagłówek Authorization: klucz jest wtedy w adresie zapytania.',
  },
  'prestashop.id_shop': {
    label: 'ID sklepu',
    help: 'Który z kilku sklepów tej samej instalacji; domyślnie jej sklep domyślny.',
  },
  'prestashop.id_shop_group': {
    label: 'ID grupy sklepów',
    help: `Grupa tego sklepu, której sklepy mogą mieć wspólny stan. ${asked}`,
  },
  'prestashop.timezone': { label: 'Strefa czasowa', help: `Strefa godzin w sklepie. ${asked}` },
  'prestashop.currency': { label: currency, help: `Waluta cen produktów. ${asked}` },
  'prestashop.language': { label: 'ID języka', help: `Język odczytywanych tekstów. ${asked}` },
  'prestashop.weight_unit': { label: 'Jednostka wagi', help: asked },
  'prestashop.state_canceled': {
    label: 'Stan: anulowane',
    help: 'Stan sklepu dla anulowanych zamówień. Pytamy sklep o wszystkie siedem.',
  },
  'prestashop.state_refunded': {
    label: 'Stan: zwrócono pieniądze',
    help: 'Stan dla zamówień, za które zwrócono pieniądze.',
  },
  'prestashop.state_failed': {
    label: 'Stan: płatność nieudana',
    help: 'Stan dla płatności, które się nie powiodły.',
  },
  'prestashop.state_shipped': { label: 'Stan: wysłane', help: 'Stan dla zamówień, które wyszły.' },
  'prestashop.state_delivered': { label: 'Stan: dostarczone', help: 'Stan dla zamówień, które dotarły.' },
  'prestashop.state_backorder_paid': {
    label: 'Stan: oczekuje na towar, opłacone',
    help: 'Stan dla opłaconych zamówień, na których towar trzeba poczekać.',
  },
  'prestashop.state_backorder_unpaid': {
    label: 'Stan: oczekuje na towar, nieopłacone',
    help: 'To samo dla zamówień, których nie opłacono.',
  },
  'ebay.environment': {
    label: 'Środowisko eBay',
    help: 'Gdzie zarejestrowany jest sprzedawca; domyślnie na prawdziwym rynku.',
    choices: { production: 'prawdziwy rynek', sandbox: 'piaskownica' },
  },
  'ebay.listings': {
    label: 'Gdzie są oferty',
    help: 'Czym są produkty i stany: artykułami Inventory API (domyślnie) albo ofertami utworzonymi inaczej, na przykład w Seller Hub.',
    choices: { inventory_api: 'Inventory API', seller_hub: 'Seller Hub' },
  },
  'squarespace.notify_customers': {
    label: 'Squarespace powiadamia klientów',
    help: 'Squarespace pisze do kupującego, gdy zamówienie zostanie wysłane. Domyślnie nie.',
  },
  'tiktok_shop.market': {
    label: 'Gdzie zarejestrowany jest sprzedawca',
    help: 'Sprzedawcy ze Stanów Zjednoczonych wyrażają zgodę na osobnych stronach; domyślnie gdzie indziej.',
    choices: { us: 'Stany Zjednoczone', elsewhere: 'gdzie indziej' },
  },
}
