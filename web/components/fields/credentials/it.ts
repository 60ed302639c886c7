import type { FieldTexts } from '../index.ts'

/** Keys are called what the pages of their platforms call them, so that they are found there. */
export const credentials: FieldTexts = {
  'amazon.client_id': { help: 'LWA client ID dell’app privata.' },
  'amazon.client_secret': { help: 'LWA client secret dell’app privata.' },
  'amazon.refresh_token': { help: 'Il Refresh token che Seller Central mostra dopo «Authorize».' },
  'medusa.secret_key': { help: 'Una Secret API key, che inizia con sk_.' },
  'sandbox.api_key': { help: 'Va bene qualsiasi chiave, tranne quelle che iniziano con «bad».' },
  'bigcommerce.access_token': { help: 'Access token di uno «Store-level API account».' },
  'shopify.client_id': { help: 'Client ID della Sua app nella Shopify Dev Dashboard.' },
  'shopify.client_secret': { help: 'Il Client secret di quell’app.' },
  'shopify.access_token': {
    help: 'Al posto di entrambi: Admin API access token di un’app personalizzata creata nel negozio; inizia con «shpat_».',
  },
  'vendure.api_key': { help: 'Una API key (da Vendure 3.6).' },
  'vendure.username': { label: 'Nome utente', help: 'Quello di un amministratore, se non c’è una API key.' },
  'vendure.password': { label: 'Password' },
  'walmart.client_id': { help: 'Client ID delle chiavi di produzione nel Developer Portal del Seller Center.' },
  'walmart.client_secret': { help: 'Il relativo Client secret.' },
  'woocommerce.consumer_key': { help: 'Inizia con ck_.' },
  'woocommerce.consumer_secret': { help: 'Inizia con cs_.' },
  'magento.access_token': {
    help: 'Quello dell’integrazione. Senza le altre tre chiavi vale solo se il negozio consente «access tokens as standalone bearer tokens» (Stores → Configuration → Services → OAuth), disattivato da Magento 2.4.4.',
  },
  'magento.access_token_secret': { help: 'Con la Consumer key: in tal caso le richieste vengono firmate.' },
  'magento.ims_client_id': {
    help: 'Per il Cloud Service di Adobe: quello della credenziale «OAuth Server-to-Server» nella Adobe Developer Console.',
  },
  'magento.ims_org_id': { help: 'L’organizzazione: …@AdobeOrg.' },
  'prestashop.webservice_key': { help: '32 lettere e cifre.' },
  'squarespace.api_key': { help: 'Una chiave con le autorizzazioni Orders, Inventory e Products.' },
  'tiktok_shop.app_key': { help: 'App key dell’app personalizzata (custom app).' },
  'tiktok_shop.app_secret': { help: 'App secret dell’app personalizzata (custom app).' },
  'tiktok_shop.refresh_token': { help: 'Il Refresh token ottenuto con l’autorizzazione del negozio.' },
  'wix.api_key': { help: 'Una API key dell’account a cui appartiene il sito.' },
}
