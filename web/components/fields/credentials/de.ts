import type { FieldTexts } from '../index.ts'

/** Keys are called what the pages of their platforms call them, so that they are found there. */
export const credentials: FieldTexts = {
  'amazon.client_id': { help: 'LWA client ID der privaten App.' },
  'amazon.client_secret': { help: 'LWA client secret der privaten App.' },
  'amazon.refresh_token': { help: 'Der Refresh token, den Seller Central nach „Authorize“ zeigt.' },
  'medusa.secret_key': { help: 'Ein Secret API key; er beginnt mit sk_.' },
  'sandbox.api_key': { help: 'Jeder Schlüssel passt, außer denen, die mit „bad“ beginnen.' },
  'bigcommerce.access_token': { help: 'Access token eines „Store-level API account“.' },
  'shopify.client_id': { help: 'Client ID Ihrer eigenen App im Shopify Dev Dashboard.' },
  'shopify.client_secret': { help: 'Das Client secret dieser App.' },
  'shopify.access_token': {
    help: 'Anstelle der beiden: Admin API access token einer eigenen App, die im Shop angelegt wurde; er beginnt mit „shpat_“.',
  },
  'vendure.api_key': { help: 'Ein API key (ab Vendure 3.6).' },
  'vendure.username': { label: 'Benutzername', help: 'Der eines Administrators, wenn es keinen API key gibt.' },
  'vendure.password': { label: 'Passwort' },
  'walmart.client_id': { help: 'Client ID der Produktionsschlüssel im Developer Portal des Seller Center.' },
  'walmart.client_secret': { help: 'Das zugehörige Client secret.' },
  'woocommerce.consumer_key': { help: 'Beginnt mit ck_.' },
  'woocommerce.consumer_secret': { help: 'Beginnt mit cs_.' },
  'magento.access_token': {
    help: 'Der der Integration. Ohne die drei anderen Schlüssel gilt er nur, wenn der Shop „access tokens as standalone bearer tokens“ erlaubt (Stores → Configuration → Services → OAuth); seit Magento 2.4.4 ist das ausgeschaltet.',
  },
  'magento.access_token_secret': { help: 'Mit dem Consumer key: Anfragen werden stattdessen signiert.' },
  'magento.ims_client_id': {
    help: 'Für Adobes Cloud Service: aus dem Zugang „OAuth Server-to-Server“ in der Adobe Developer Console.',
  },
  'magento.ims_org_id': { help: 'Die Organisation: …@AdobeOrg.' },
  'prestashop.webservice_key': { help: '32 Buchstaben und Ziffern.' },
  'squarespace.api_key': { help: 'Ein Schlüssel mit den Rechten Orders, Inventory und Products.' },
  'tiktok_shop.app_key': { help: 'App key der eigenen App (custom app).' },
  'tiktok_shop.app_secret': { help: 'App secret der eigenen App (custom app).' },
  'tiktok_shop.refresh_token': { help: 'Der Refresh token, der bei der Freigabe durch den Shop entstand.' },
  'wix.api_key': { help: 'Ein API key des Kontos, zu dem die Website gehört.' },
}
