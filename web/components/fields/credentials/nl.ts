import type { FieldTexts } from '../index.ts'

/** Keys are called what the pages of their platforms call them, so that they are found there. */
export const credentials: FieldTexts = {
  'amazon.client_id': { help: 'LWA client ID van de privéapp.' },
  'amazon.client_secret': { help: 'LWA client secret van de privéapp.' },
  'amazon.refresh_token': { help: 'Het Refresh token dat Seller Central na “Authorize” toont.' },
  'medusa.secret_key': { help: 'Een Secret API key, die met sk_ begint.' },
  'sandbox.api_key': { help: 'Elke sleutel werkt, behalve die met “bad” beginnen.' },
  'bigcommerce.access_token': { help: 'Access token van een “Store-level API account”.' },
  'shopify.client_id': { help: 'Client ID van uw eigen app in het Shopify Dev Dashboard.' },
  'shopify.client_secret': { help: 'Het Client secret van die app.' },
  'shopify.access_token': {
    help: 'In plaats van beide: Admin API access token van een eigen app die in de winkel is gemaakt; het begint met “shpat_”.',
  },
  'vendure.api_key': { help: 'Een API key (vanaf Vendure 3.6).' },
  'vendure.username': { label: 'Gebruikersnaam', help: 'Die van een beheerder, als er geen API key is.' },
  'vendure.password': { label: 'Wachtwoord' },
  'walmart.client_id': { help: 'Client ID van de productiesleutels in het Developer Portal van Seller Center.' },
  'walmart.client_secret': { help: 'Het bijbehorende Client secret.' },
  'woocommerce.consumer_key': { help: 'Begint met ck_.' },
  'woocommerce.consumer_secret': { help: 'Begint met cs_.' },
  'magento.access_token': {
    help: 'Dat van de integratie. Zonder de drie andere sleutels werkt het alleen als de winkel “access tokens as standalone bearer tokens” toestaat (Stores → Configuration → Services → OAuth); sinds Magento 2.4.4 staat dat uit.',
  },
  'magento.access_token_secret': { help: 'Met de Consumer key: dan worden verzoeken ondertekend.' },
  'magento.ims_client_id': {
    help: 'Voor de Cloud Service van Adobe: uit de toegang “OAuth Server-to-Server” in de Adobe Developer Console.',
  },
  'magento.ims_org_id': { help: 'De organisatie: …@AdobeOrg.' },
  'prestashop.webservice_key': { help: '32 letters en cijfers.' },
  'squarespace.api_key': { help: 'Een sleutel met de rechten Orders, Inventory en Products.' },
  'tiktok_shop.app_key': { help: 'App key van de eigen app (custom app).' },
  'tiktok_shop.app_secret': { help: 'App secret van de eigen app (custom app).' },
  'tiktok_shop.refresh_token': { help: 'Het Refresh token dat de toestemming van de winkel heeft opgeleverd.' },
  'wix.api_key': { help: 'Een API key van het account waar de site bij hoort.' },
}
