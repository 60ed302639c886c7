import type { FieldTexts } from '../index.ts'

const asked = 'Der Shop wird danach gefragt.'
const serverAsked = 'Der Server wird danach gefragt.'
const currency = 'Währung'
const administration = {
  label: 'Adresse der Verwaltung',
  help: 'Die Adresse der Verwaltung des Shops, für Links zu seinen Bestellungen (`admin_url`).',
}
const server = {
  label: 'Vollständige Adresse des Servers',
  help: 'Wo der Server antwortet, wenn das nicht https:// und der Name des Shops ist.',
}
const shop = {
  label: 'Vollständige Adresse des Shops',
  help: 'Die Adresse des Shops, wenn sie mehr ist als sein Host: unter einem Pfad, an einem Port oder ohne TLS. Standard ist https und nur der Host.',
}
const header = 'Der Hoster verwirft den Authorization-Header'
const shippedBy = {
  label: 'Bestellungen versandt von',
  help: 'Wessen Bestellungen gelesen werden; Standard sind die, die der Verkäufer selbst versendet.',
}
const samples = 'Benutzt die Sandbox, die mit festen Beispielen antwortet.'

export const settings: FieldTexts = {
  'amazon.marketplace': {
    label: 'Marktplatz',
    help: 'Das Land des Marktplatzes, zu dem Angebote und Bestände gehören; von dort werden die Bestellungen gelesen.',
  },
  'amazon.fulfilled_by': { ...shippedBy, choices: { merchant: 'Verkäufer', amazon: 'Amazon', all: 'allen' } },
  'amazon.buyer_data': {
    label: 'Namen und Adressen der Käufer lesen',
    help: 'Ob nach Namen und Adressen gefragt wird; das braucht die eingeschränkten Rollen (restricted roles). Standard ist ja.',
  },
  'amazon.sandbox': { label: 'Sandbox von Amazon', help: samples },
  'medusa.admin_address': administration,
  'medusa.base_url': server,
  'medusa.location_id': {
    label: 'ID des Lagerorts',
    help: 'Der Lagerort, von dem versandt und an dem der Bestand gesetzt wird, wenn keiner genannt ist.',
  },
  'medusa.follow_days': {
    label: 'Tage, an denen Bestellungen verglichen werden',
    help: 'Wie lange nach ihrer Aufgabe eine Bestellung auf Teilzahlungen verglichen wird; Standard ist 90.',
  },
  'medusa.currency': {
    label: 'Währung der Preise',
    help: `Welcher Preis eines Artikels benutzt wird. ${serverAsked}`,
  },
  'shopify.notify_customers': {
    label: 'Shopify benachrichtigt die Kunden',
    help: 'Shopify schreibt den Käufern, wenn Ware versandt oder eine Bestellung storniert wird. Standard ist nein.',
  },
  'shopify.wait_for_capture': {
    label: 'Warten, bis Zahlungen eingezogen sind',
    help: 'Bestellungen, deren Zahlung autorisiert ist, warten, bis sie eingezogen ist. Standard ist nein: In der Regel wird sie beim Versand eingezogen.',
  },
  'shopify.send_unpaid': {
    label: 'Bestellungen mit ausstehender Zahlung versenden',
    help: 'Bestellungen, deren Zahlung aussteht, dürfen versandt werden: auf Rechnung oder per Nachnahme. Standard ist nein.',
  },
  'shopify.refund_cancelled': {
    label: 'Stornierte Bestellungen erstatten',
    help: 'Eine stornierte Bestellung wird auf dem Weg erstattet, auf dem sie bezahlt wurde. Standard ist nein.',
  },
  'vendure.admin_address': administration,
  'vendure.base_url': server,
  'vendure.admin_api_path': {
    label: 'Pfad der Admin API',
    help: 'Unter der Adresse des Servers; Standard ist admin-api.',
  },
  'vendure.channel_token': {
    label: 'Channel-Token',
    help: 'Welcher Channel des Servers; Standard ist der, den der Server vorgibt.',
  },
  'vendure.page_size': {
    label: 'Datensätze pro Anfrage',
    help: 'Wie viele Datensätze auf einmal gelesen werden; Standard ist 100. Höchstens so viele, wie adminListQueryLimit des Servers zulässt.',
  },
  'vendure.follow_days': {
    label: 'Tage, an denen Bestellungen verfolgt werden',
    help: 'Wie lange nach ihrer Aufgabe eine versandte Bestellung noch auf Änderungen geprüft wird; Standard ist 90.',
  },
  'vendure.settle_on_shipping': {
    label: 'Zahlungen beim Versand einziehen',
    help: 'Ob autorisierte Zahlungen vor dem Versand eingezogen werden; Standard ist ja.',
  },
  'vendure.fulfillment_handler': {
    label: 'Fulfilment-Handler',
    help: 'Der Code des Fulfilment-Handlers; Standard ist manual-fulfillment.',
  },
  'vendure.money_precision': {
    label: 'Nachkommastellen der Beträge',
    help: `Nachkommastellen von Beträgen, die als ganze Zahlen kommen. ${serverAsked}`,
  },
  'vendure.currency': { label: currency, help: `Die des Channels. ${serverAsked}` },
  'vendure.language': { label: 'Sprache', help: `Die des Channels. ${serverAsked}` },
  'walmart.fulfilled_by': {
    ...shippedBy,
    choices: { seller: 'Verkäufer', walmart: 'Walmart', third_party: 'Dritten', all: 'allen' },
  },
  'walmart.tracking_url': {
    label: 'Adresse der Sendungsverfolgung',
    help: 'Wo Pakete von Versendern verfolgt werden, die Walmart nicht kennt; {number} ist die Sendungsnummer.',
  },
  'walmart.sandbox': { label: 'Sandbox von Walmart', help: samples },
  'woocommerce.base_url': {
    label: 'Vollständige Adresse der Website',
    help: 'Die Adresse der Website, wenn sie mehr ist als ihr Host: unter einem Pfad, an einem Port oder ohne TLS. Standard ist https und nur der Host.',
  },
  'woocommerce.keys_in_query': {
    label: header,
    help: 'Für Hoster, die den Authorization-Header verwerfen: Die Schlüssel stehen in der Adresse der Anfrage, die nur über https gesendet wird.',
  },
  'woocommerce.shipped_status': {
    label: 'Status versandter Bestellungen',
    help: 'Der Status, den eine Bestellung erhält, sobald alles versandt ist, ohne „wc-“; Standard ist „completed“.',
  },
  'woocommerce.refund_payments': {
    label: 'Erstattungen auszahlen',
    help: 'Erstattungen zahlt der Zahlungsdienst der Bestellung aus; Standard ist ja. Sonst werden sie nur vermerkt.',
  },
  'woocommerce.plain_permalinks': {
    label: 'Einfache Permalinks',
    help: 'Für Websites, deren Permalinks auf „Einfach“ (Plain) stehen: Die Schnittstelle wird unter einer anderen Adresse gefragt. Wird von selbst erkannt.',
  },
  'magento.admin_address': administration,
  'magento.base_url': shop,
  'magento.store_code': {
    label: 'Code des Store View',
    help: 'Der Store View, dessen Daten gelesen werden; Standard sind alle.',
  },
  'magento.source_code': {
    label: 'Code der Bestandsquelle',
    help: 'Die Quelle, an der Bestand gesetzt wird und von der Pakete abgehen, wenn nichts anderes gesagt ist; Standard ist „default“.',
  },
  'magento.attribute_set_id': {
    label: 'Attributset neuer Artikel',
    help: 'Das von Artikeln, die angelegt werden; Standard ist 4.',
  },
  'magento.stock': {
    label: 'Bestandsquellen',
    help: 'Ob es mehrere Quellen gibt. Ohne Angabe wird der Shop danach gefragt.',
    choices: { sources: 'mehrere', single: 'eine einzige' },
  },
  'magento.levels_count': {
    label: 'Bestände zählen',
    help: 'Was gesetzte Bestände zählen: was verkauft werden kann, wozu kommt, was offene Bestellungen reservieren; oder was im Lager liegt. Standard ist, was verkauft werden kann.',
    choices: { available: 'was verkauft werden kann', on_hand: 'was im Lager liegt' },
  },
  'magento.notify_customers': {
    label: 'Der Shop benachrichtigt die Kunden',
    help: 'Ob der Shop den Käufern von Paketen und Erstattungen schreibt, wenn eine Anfrage nichts dazu sagt; Standard ist ja.',
  },
  'magento.currency': { label: currency, help: `Die der Artikelpreise. ${asked}` },
  'magento.weight_unit': { label: 'Gewichtseinheit', help: asked, choices: { kgs: 'kg', lbs: 'lb' } },
  'magento.media_url': { label: 'Adresse der Bilder', help: `Wo die Bilder liegen. ${asked}` },
  'prestashop.admin_address': administration,
  'prestashop.base_url': shop,
  'prestashop.key_in_query': {
    label: header,
    help: 'Für Hoster, die den Authorization-Header verwerfen: Der Schlüssel steht stattdessen in der Adresse der Anfrage.',
  },
  'prestashop.id_shop': {
    label: 'ID des Shops',
    help: 'Welcher von mehreren Shops derselben Installation; Standard ist der, den sie vorgibt.',
  },
  'prestashop.id_shop_group': {
    label: 'ID der Shopgruppe',
    help: `Die Gruppe dieses Shops, deren Shops sich den Bestand teilen können. ${asked}`,
  },
  'prestashop.timezone': { label: 'Zeitzone', help: `Die der Zeiten im Shop. ${asked}` },
  'prestashop.currency': { label: currency, help: `Die der Artikelpreise. ${asked}` },
  'prestashop.language': { label: 'ID der Sprache', help: `Die der Texte, die gelesen werden. ${asked}` },
  'prestashop.weight_unit': { label: 'Gewichtseinheit', help: asked },
  'prestashop.state_canceled': {
    label: 'Status: storniert',
    help: 'Der Status des Shops für stornierte Bestellungen. Der Shop wird nach allen sieben gefragt.',
  },
  'prestashop.state_refunded': { label: 'Status: erstattet', help: 'Sein Status für erstattete Bestellungen.' },
  'prestashop.state_failed': {
    label: 'Status: Zahlung gescheitert',
    help: 'Sein Status für Zahlungen, die gescheitert sind.',
  },
  'prestashop.state_shipped': { label: 'Status: versandt', help: 'Sein Status für Bestellungen, die unterwegs sind.' },
  'prestashop.state_delivered': {
    label: 'Status: zugestellt',
    help: 'Sein Status für Bestellungen, die angekommen sind.',
  },
  'prestashop.state_backorder_paid': {
    label: 'Status: im Rückstand, bezahlt',
    help: 'Sein Status für bezahlte Bestellungen, deren Ware erst eintreffen muss.',
  },
  'prestashop.state_backorder_unpaid': {
    label: 'Status: im Rückstand, unbezahlt',
    help: 'Dasselbe für Bestellungen, die nicht bezahlt sind.',
  },
  'ebay.environment': {
    label: 'Umgebung von eBay',
    help: 'Wo der Verkäufer registriert ist; Standard ist der echte Marktplatz.',
    choices: { production: 'echter Marktplatz', sandbox: 'Sandbox' },
  },
  'ebay.listings': {
    label: 'Wo die Angebote liegen',
    help: 'Was Artikel und Bestände sind: Artikel der Inventory API (Standard) oder Angebote, die anders angelegt wurden, etwa im Seller Hub.',
    choices: { inventory_api: 'Inventory API', seller_hub: 'Seller Hub' },
  },
  'squarespace.notify_customers': {
    label: 'Squarespace benachrichtigt die Kunden',
    help: 'Squarespace schreibt den Käufern, wenn eine Bestellung versandt wird. Standard ist nein.',
  },
  'tiktok_shop.market': {
    label: 'Wo der Verkäufer registriert ist',
    help: 'Verkäufer in den Vereinigten Staaten stimmen auf eigenen Seiten zu; Standard ist anderswo.',
    choices: { us: 'Vereinigte Staaten', elsewhere: 'anderswo' },
  },
}
