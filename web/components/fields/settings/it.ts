import type { FieldTexts } from '../index.ts'

const asked = 'Viene chiesto al negozio.'
const serverAsked = 'Viene chiesto al server.'
const currency = 'Valuta'
const administration = {
  label: 'Indirizzo dell’amministrazione',
  help: 'L’indirizzo dell’amministrazione del negozio, per i link ai suoi ordini (`admin_url`).',
}
const server = {
  label: 'Indirizzo completo del server',
  help: 'Dove risponde il server, se non è https:// seguito dal nome del negozio.',
}
const shop = {
  label: 'Indirizzo completo del negozio',
  help: 'L’indirizzo del negozio, se è più del suo host: sotto un percorso, su una porta o senza TLS. Di norma https e il solo host.',
}
const header = 'L’hosting elimina l’intestazione Authorization'
const shippedBy = {
  label: 'Ordini spediti da',
  help: 'Quali ordini vengono letti; di norma quelli che il venditore spedisce da sé.',
}
const samples = 'Usa la sandbox, che risponde con esempi fissi.'

export const settings: FieldTexts = {
  'amazon.marketplace': {
    label: 'Marketplace di vendita',
    help: 'Il paese del marketplace a cui appartengono offerte e giacenze; da lì si leggono gli ordini.',
  },
  'amazon.fulfilled_by': { ...shippedBy, choices: { merchant: 'venditore', amazon: 'Amazon', all: 'tutti' } },
  'amazon.buyer_data': {
    label: 'Leggere nomi e indirizzi degli acquirenti',
    help: 'Se chiedere nomi e indirizzi; servono i ruoli con restrizioni (restricted roles). Di norma sì.',
  },
  'amazon.sandbox': { label: 'Sandbox di Amazon', help: samples },
  'medusa.admin_address': administration,
  'medusa.base_url': server,
  'medusa.location_id': {
    label: 'ID della sede di magazzino',
    help: 'La sede da cui si spedisce e in cui si impostano le giacenze, quando non ne è indicata una.',
  },
  'medusa.follow_days': {
    label: 'Giorni in cui gli ordini vengono confrontati',
    help: 'Per quanti giorni dopo l’acquisto un ordine viene confrontato in cerca di pagamenti parziali; di norma 90.',
  },
  'medusa.currency': { label: 'Valuta dei prezzi', help: `Quale prezzo del prodotto si usa. ${serverAsked}` },
  'shopify.notify_customers': {
    label: 'Shopify avvisa i clienti',
    help: 'Shopify scrive all’acquirente quando la merce parte o un ordine viene annullato. Di norma no.',
  },
  'shopify.wait_for_capture': {
    label: 'Attendere l’incasso dei pagamenti',
    help: 'Gli ordini con pagamento autorizzato attendono che sia incassato. Di norma no: in genere si incassa alla spedizione.',
  },
  'shopify.send_unpaid': {
    label: 'Spedire ordini con pagamento in sospeso',
    help: 'Gli ordini con pagamento in sospeso possono essere spediti: venduti su fattura o in contrassegno. Di norma no.',
  },
  'shopify.refund_cancelled': {
    label: 'Rimborsare gli ordini annullati',
    help: 'Un ordine annullato viene rimborsato con lo stesso mezzo con cui è stato pagato. Di norma no.',
  },
  'vendure.admin_address': administration,
  'vendure.base_url': server,
  'vendure.admin_api_path': {
    label: 'Percorso dell’Admin API',
    help: 'Sotto l’indirizzo del server; di norma admin-api.',
  },
  'vendure.channel_token': {
    label: 'Token del canale',
    help: 'Quale canale del server (channel token); di norma quello predefinito.',
  },
  'vendure.page_size': {
    label: 'Record per richiesta',
    help: 'Quanti record si chiedono alla volta; di norma 100. Non più dell’adminListQueryLimit del server.',
  },
  'vendure.follow_days': {
    label: 'Giorni in cui gli ordini vengono seguiti',
    help: 'Per quanti giorni dopo l’acquisto si controlla se un ordine spedito è cambiato; di norma 90.',
  },
  'vendure.settle_on_shipping': {
    label: 'Incassare i pagamenti alla spedizione',
    help: 'Se i pagamenti autorizzati vengono incassati prima della spedizione; di norma sì.',
  },
  'vendure.fulfillment_handler': {
    label: 'Gestore delle spedizioni',
    help: 'Il codice del gestore (fulfillment handler); di norma manual-fulfillment.',
  },
  'vendure.money_precision': {
    label: 'Decimali degli importi',
    help: `Decimali degli importi espressi in numeri interi. ${serverAsked}`,
  },
  'vendure.currency': { label: currency, help: `Quella del canale. ${serverAsked}` },
  'vendure.language': { label: 'Lingua', help: `Quella del canale. ${serverAsked}` },
  'walmart.fulfilled_by': {
    ...shippedBy,
    choices: { seller: 'venditore', walmart: 'Walmart', third_party: 'terzi', all: 'tutti' },
  },
  'walmart.tracking_url': {
    label: 'Indirizzo per seguire le spedizioni',
    help: 'Dove si seguono i pacchi dei corrieri che Walmart non conosce; {number} è il numero di tracciamento.',
  },
  'walmart.sandbox': { label: 'Sandbox di Walmart', help: samples },
  'woocommerce.base_url': {
    label: 'Indirizzo completo del sito',
    help: 'L’indirizzo del sito, se è più del suo host: sotto un percorso, su una porta o senza TLS. Di norma https e il solo host.',
  },
  'woocommerce.keys_in_query': {
    label: header,
    help: 'Per gli hosting che eliminano l’intestazione Authorization: le chiavi stanno nell’indirizzo della richiesta, inviata solo via https.',
  },
  'woocommerce.shipped_status': {
    label: 'Stato degli ordini spediti',
    help: 'Lo stato che un ordine riceve quando tutto è stato spedito, senza «wc-»; di norma «completed».',
  },
  'woocommerce.refund_payments': {
    label: 'Versare i rimborsi',
    help: 'I rimborsi vengono versati dal gateway di pagamento dell’ordine; di norma sì. Altrimenti vengono solo annotati.',
  },
  'woocommerce.plain_permalinks': {
    label: 'Permalink semplici',
    help: 'Per i siti con i permalink impostati su «Semplice» (Plain): l’interfaccia si interroga a un altro indirizzo. Rilevato automaticamente.',
  },
  'magento.admin_address': administration,
  'magento.base_url': shop,
  'magento.store_code': {
    label: 'Codice della vista del negozio',
    help: 'La vista del negozio (store view) di cui si leggono i dati; di norma tutte.',
  },
  'magento.source_code': {
    label: 'Codice della fonte di magazzino',
    help: 'La fonte in cui si impostano le giacenze e da cui partono i pacchi, se non è indicato altro; di norma «default».',
  },
  'magento.attribute_set_id': {
    label: 'Set di attributi dei nuovi prodotti',
    help: 'Quello dei prodotti che vengono creati; di norma 4.',
  },
  'magento.stock': {
    label: 'Fonti di magazzino',
    help: 'Se ci sono più fonti. Se non è indicato, viene chiesto al negozio.',
    choices: { sources: 'più fonti', single: 'una sola' },
  },
  'magento.levels_count': {
    label: 'Che cosa contano le giacenze',
    help: 'Che cosa contano le giacenze impostate: ciò che si può vendere, a cui si aggiunge quanto riservano gli ordini aperti; oppure ciò che è in magazzino. Di norma ciò che si può vendere.',
    choices: { available: 'ciò che si può vendere', on_hand: 'ciò che è in magazzino' },
  },
  'magento.notify_customers': {
    label: 'Il negozio avvisa i clienti',
    help: 'Se il negozio scrive all’acquirente di pacchi e rimborsi quando una richiesta non lo dice; di norma sì.',
  },
  'magento.currency': { label: currency, help: `Quella dei prezzi dei prodotti. ${asked}` },
  'magento.weight_unit': { label: 'Unità di peso', help: asked, choices: { kgs: 'kg', lbs: 'lb' } },
  'magento.media_url': { label: 'Indirizzo delle immagini', help: `Dove si trovano le immagini. ${asked}` },
  'prestashop.admin_address': administration,
  'prestashop.base_url': shop,
  'prestashop.key_in_query': {
    label: header,
    help: 'Per gli hosting che eliminano l’intestazione Authorization: la chiave sta invece nell’indirizzo della richiesta.',
  },
  'prestashop.id_shop': {
    label: 'ID del negozio',
    help: 'Quale dei negozi della stessa installazione; di norma quello predefinito.',
  },
  'prestashop.id_shop_group': {
    label: 'ID del gruppo di negozi',
    help: `Il gruppo di quel negozio, i cui negozi possono condividere le giacenze. ${asked}`,
  },
  'prestashop.timezone': { label: 'Fuso orario', help: `Quello degli orari del negozio. ${asked}` },
  'prestashop.currency': { label: currency, help: `Quella dei prezzi dei prodotti. ${asked}` },
  'prestashop.language': { label: 'ID della lingua', help: `Quella dei testi che vengono letti. ${asked}` },
  'prestashop.weight_unit': { label: 'Unità di peso', help: asked },
  'prestashop.state_canceled': {
    label: 'Stato: annullato',
    help: 'Il suo stato per gli ordini annullati. Al negozio si chiedono tutti e sette.',
  },
  'prestashop.state_refunded': { label: 'Stato: rimborsato', help: 'Il suo stato per gli ordini rimborsati.' },
  'prestashop.state_failed': {
    label: 'Stato: pagamento fallito',
    help: 'Il suo stato per i pagamenti non riusciti.',
  },
  'prestashop.state_shipped': { label: 'Stato: spedito', help: 'Il suo stato per gli ordini partiti.' },
  'prestashop.state_delivered': { label: 'Stato: consegnato', help: 'Il suo stato per gli ordini arrivati.' },
  'prestashop.state_backorder_paid': {
    label: 'Stato: in attesa di merce, pagato',
    help: 'Il suo stato per gli ordini pagati la cui merce deve prima arrivare.',
  },
  'prestashop.state_backorder_unpaid': {
    label: 'Stato: in attesa di merce, non pagato',
    help: 'Lo stesso per gli ordini che non sono stati pagati.',
  },
  'ebay.environment': {
    label: 'Ambiente di eBay',
    help: 'Dove è registrato il venditore; di norma il marketplace reale.',
    choices: { production: 'marketplace reale', sandbox: 'sandbox' },
  },
  'ebay.listings': {
    label: 'Dove si trovano le inserzioni',
    help: 'Che cosa sono prodotti e giacenze: articoli dell’Inventory API (di norma) oppure inserzioni create in altro modo, per esempio nel Seller Hub.',
    choices: { inventory_api: 'Inventory API', seller_hub: 'Seller Hub' },
  },
  'squarespace.notify_customers': {
    label: 'Squarespace avvisa i clienti',
    help: 'Squarespace scrive all’acquirente quando un ordine viene spedito. Di norma no.',
  },
  'tiktok_shop.market': {
    label: 'Dove è registrato il venditore',
    help: 'I venditori degli Stati Uniti danno il consenso su pagine proprie; di norma altrove.',
    choices: { us: 'Stati Uniti', elsewhere: 'altrove' },
  },
}
