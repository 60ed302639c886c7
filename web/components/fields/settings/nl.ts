import type { FieldTexts } from '../index.ts'

const asked = 'Dit wordt aan de winkel gevraagd.'
const serverAsked = 'Dit wordt aan de server gevraagd.'
const currency = 'Valuta'
const administration = {
  label: 'Adres van het beheer',
  help: 'Het adres van het beheer van de winkel, voor links naar de bestellingen (`admin_url`).',
}
const server = {
  label: 'Volledig adres van de server',
  help: 'Waar de server antwoordt, als dat niet https:// en de naam van de winkel is.',
}
const shop = {
  label: 'Volledig adres van de winkel',
  help: 'Het adres van de winkel, als dat meer is dan de host: onder een pad, op een poort of zonder TLS. Standaard https en alleen de host.',
}
const header = 'De host verwijdert de Authorization-header'
const shippedBy = {
  label: 'Bestellingen verzonden door',
  help: 'Wiens bestellingen worden gelezen; standaard die de verkoper zelf verzendt.',
}
const samples = 'Gebruikt de sandbox, die met vaste voorbeelden antwoordt.'

export const settings: FieldTexts = {
  'amazon.marketplace': {
    label: 'Marktplaats',
    help: 'Het land van de marktplaats waar aanbiedingen en voorraad bij horen; daar worden de bestellingen gelezen.',
  },
  'amazon.fulfilled_by': { ...shippedBy, choices: { merchant: 'verkoper', amazon: 'Amazon', all: 'iedereen' } },
  'amazon.buyer_data': {
    label: 'Namen en adressen van kopers lezen',
    help: 'Of namen en adressen worden gevraagd; daarvoor zijn de beperkte rollen (restricted roles) nodig. Standaard ja.',
  },
  'amazon.sandbox': { label: 'Sandbox van Amazon', help: samples },
  'medusa.admin_address': administration,
  'medusa.base_url': server,
  'medusa.location_id': {
    label: 'ID van de voorraadlocatie',
    help: 'De locatie vanwaar wordt verzonden en waar de voorraad wordt gezet, als er geen is genoemd.',
  },
  'medusa.follow_days': {
    label: 'Dagen dat bestellingen worden vergeleken',
    help: 'Hoelang na plaatsing een bestelling wordt vergeleken op gedeeltelijke betalingen; standaard 90.',
  },
  'medusa.currency': {
    label: 'Valuta van de prijzen',
    help: `Welke prijs van een product wordt gebruikt. ${serverAsked}`,
  },
  'shopify.notify_customers': {
    label: 'Shopify bericht de klanten',
    help: 'Shopify schrijft de koper als artikelen zijn verzonden of een bestelling is geannuleerd. Standaard nee.',
  },
  'shopify.wait_for_capture': {
    label: 'Wachten tot betalingen zijn geïnd',
    help: 'Bestellingen waarvan de betaling is geautoriseerd, wachten tot die is geïnd. Standaard nee: meestal wordt die bij verzending geïnd.',
  },
  'shopify.send_unpaid': {
    label: 'Bestellingen met openstaande betaling verzenden',
    help: 'Bestellingen met een openstaande betaling mogen worden verzonden: op rekening of onder rembours. Standaard nee.',
  },
  'shopify.refund_cancelled': {
    label: 'Geannuleerde bestellingen terugbetalen',
    help: 'Een geannuleerde bestelling wordt terugbetaald zoals ze is betaald. Standaard nee.',
  },
  'vendure.admin_address': administration,
  'vendure.base_url': server,
  'vendure.admin_api_path': {
    label: 'Pad van de Admin API',
    help: 'Onder het adres van de server; standaard admin-api.',
  },
  'vendure.channel_token': {
    label: 'Token van het kanaal',
    help: 'Welk kanaal van de server (channel token); standaard het eigen standaardkanaal.',
  },
  'vendure.page_size': {
    label: 'Records per verzoek',
    help: 'Hoeveel records tegelijk worden gevraagd; standaard 100. Niet meer dan de adminListQueryLimit van de server.',
  },
  'vendure.follow_days': {
    label: 'Dagen dat bestellingen worden gevolgd',
    help: 'Hoelang na plaatsing een verzonden bestelling nog op wijzigingen wordt bekeken; standaard 90.',
  },
  'vendure.settle_on_shipping': {
    label: 'Betalingen bij verzending innen',
    help: 'Of geautoriseerde betalingen vóór de verzending worden geïnd; standaard ja.',
  },
  'vendure.fulfillment_handler': {
    label: 'Afhandeling van verzendingen',
    help: 'De code van de fulfillment handler; standaard manual-fulfillment.',
  },
  'vendure.money_precision': {
    label: 'Decimalen van bedragen',
    help: `Decimalen van bedragen die als gehele getallen komen. ${serverAsked}`,
  },
  'vendure.currency': { label: currency, help: `Die van het kanaal. ${serverAsked}` },
  'vendure.language': { label: 'Taal', help: `Die van het kanaal. ${serverAsked}` },
  'walmart.fulfilled_by': {
    ...shippedBy,
    choices: { seller: 'verkoper', walmart: 'Walmart', third_party: 'derden', all: 'iedereen' },
  },
  'walmart.tracking_url': {
    label: 'Adres om zendingen te volgen',
    help: 'Waar pakketten van vervoerders die Walmart niet kent, worden gevolgd; {number} is het volgnummer.',
  },
  'walmart.sandbox': { label: 'Sandbox van Walmart', help: samples },
  'woocommerce.base_url': {
    label: 'Volledig adres van de site',
    help: 'Het adres van de site, als dat meer is dan de host: onder een pad, op een poort of zonder TLS. Standaard https en alleen de host.',
  },
  'woocommerce.keys_in_query': {
    label: header,
    help: 'Voor hosts die de Authorization-header verwijderen: de sleutels staan in het adres van het verzoek, dat alleen over https gaat.',
  },
  'woocommerce.shipped_status': {
    label: 'Status van verzonden bestellingen',
    help: 'De status die een bestelling krijgt zodra alles is verzonden, zonder “wc-”; standaard “completed”.',
  },
  'woocommerce.refund_payments': {
    label: 'Terugbetalingen uitbetalen',
    help: 'De betaalprovider van de bestelling betaalt terugbetalingen uit; standaard ja. Anders worden ze alleen genoteerd.',
  },
  'woocommerce.plain_permalinks': {
    label: 'Eenvoudige permalinks',
    help: 'Voor sites waarvan de permalinks op “Eenvoudig” (Plain) staan: de interface wordt op een ander adres gevraagd. Wordt vanzelf herkend.',
  },
  'magento.admin_address': administration,
  'magento.base_url': shop,
  'magento.store_code': {
    label: 'Code van de winkelweergave',
    help: 'De winkelweergave (store view) waarvan de gegevens worden gelezen; standaard alle.',
  },
  'magento.source_code': {
    label: 'Code van de voorraadbron',
    help: 'De bron waar voorraad wordt gezet en vanwaar pakketten vertrekken, als er niets anders is gezegd; standaard “default”.',
  },
  'magento.attribute_set_id': {
    label: 'Attributenset van nieuwe producten',
    help: 'Die van producten die worden aangemaakt; standaard 4.',
  },
  'magento.stock': {
    label: 'Voorraadbronnen',
    help: 'Of er meerdere bronnen zijn. Zonder antwoord wordt dit aan de winkel gevraagd.',
    choices: { sources: 'meerdere', single: 'één enkele' },
  },
  'magento.levels_count': {
    label: 'Wat de voorraad telt',
    help: 'Wat gezette voorraad telt: wat verkocht kan worden, waar bij komt wat open bestellingen reserveren; of wat in het magazijn ligt. Standaard wat verkocht kan worden.',
    choices: { available: 'wat verkocht kan worden', on_hand: 'wat in het magazijn ligt' },
  },
  'magento.notify_customers': {
    label: 'De winkel bericht de klanten',
    help: 'Of de winkel de koper schrijft over pakketten en terugbetalingen, als een verzoek er niets over zegt; standaard ja.',
  },
  'magento.currency': { label: currency, help: `Die van de productprijzen. ${asked}` },
  'magento.weight_unit': { label: 'Gewichtseenheid', help: asked, choices: { kgs: 'kg', lbs: 'lb' } },
  'magento.media_url': { label: 'Adres van de afbeeldingen', help: `Waar de afbeeldingen staan. ${asked}` },
  'prestashop.admin_address': administration,
  'prestashop.base_url': shop,
  'prestashop.key_in_query': {
    label: header,
    help: 'Voor hosts die de Authorization-header verwijderen: de sleutel staat dan in het adres van het verzoek.',
  },
  'prestashop.id_shop': {
    label: 'ID van de winkel',
    help: 'Welke van de winkels van dezelfde installatie; standaard de eigen standaardwinkel.',
  },
  'prestashop.id_shop_group': {
    label: 'ID van de winkelgroep',
    help: `De groep van die winkel, waarvan de winkels hun voorraad kunnen delen. ${asked}`,
  },
  'prestashop.timezone': { label: 'Tijdzone', help: `Die van de tijden in de winkel. ${asked}` },
  'prestashop.currency': { label: currency, help: `Die van de productprijzen. ${asked}` },
  'prestashop.language': { label: 'ID van de taal', help: `Die van de teksten die worden gelezen. ${asked}` },
  'prestashop.weight_unit': { label: 'Gewichtseenheid', help: asked },
  'prestashop.state_canceled': {
    label: 'Status: geannuleerd',
    help: 'De status van de winkel voor geannuleerde bestellingen. Alle zeven worden aan de winkel gevraagd.',
  },
  'prestashop.state_refunded': {
    label: 'Status: terugbetaald',
    help: 'De status voor bestellingen die zijn terugbetaald.',
  },
  'prestashop.state_failed': { label: 'Status: betaling mislukt', help: 'De status voor betalingen die zijn mislukt.' },
  'prestashop.state_shipped': { label: 'Status: verzonden', help: 'De status voor bestellingen die zijn vertrokken.' },
  'prestashop.state_delivered': {
    label: 'Status: bezorgd',
    help: 'De status voor bestellingen die zijn aangekomen.',
  },
  'prestashop.state_backorder_paid': {
    label: 'Status: in nalevering, betaald',
    help: 'De status voor betaalde bestellingen waarvan de artikelen nog moeten binnenkomen.',
  },
  'prestashop.state_backorder_unpaid': {
    label: 'Status: in nalevering, onbetaald',
    help: 'Hetzelfde voor bestellingen die niet zijn betaald.',
  },
  'ebay.environment': {
    label: 'Omgeving van eBay',
    help: 'Waar de verkoper is geregistreerd; standaard de echte marktplaats.',
    choices: { production: 'echte marktplaats', sandbox: 'sandbox' },
  },
  'ebay.listings': {
    label: 'Waar de aanbiedingen staan',
    help: 'Wat producten en voorraad zijn: artikelen van de Inventory API (standaard) of aanbiedingen die anders zijn gemaakt, zoals in de Seller Hub.',
    choices: { inventory_api: 'Inventory API', seller_hub: 'Seller Hub' },
  },
  'squarespace.notify_customers': {
    label: 'Squarespace bericht de klanten',
    help: 'Squarespace schrijft de koper als een bestelling is verzonden. Standaard nee.',
  },
  'tiktok_shop.market': {
    label: 'Waar de verkoper is geregistreerd',
    help: 'Verkopers in de Verenigde Staten geven toestemming op eigen pagina’s; standaard elders.',
    choices: { us: 'Verenigde Staten', elsewhere: 'elders' },
  },
}
