import type { FieldTexts } from '../index.ts'

/** Keys are called what the pages of their platforms call them, so that they are found there. */
export const credentials: FieldTexts = {
  'amazon.client_id': { help: 'LWA client ID de l’application privée.' },
  'amazon.client_secret': { help: 'LWA client secret de l’application privée.' },
  'amazon.refresh_token': { help: 'Le Refresh token que Seller Central affiche après « Authorize ».' },
  'medusa.secret_key': { help: 'Une Secret API key, qui commence par sk_.' },
  'sandbox.api_key': { help: 'Toute clé convient, sauf celles qui commencent par « bad ».' },
  'bigcommerce.access_token': { help: 'Access token d’un « Store-level API account ».' },
  'shopify.client_id': { help: 'Client ID de votre propre application dans le Shopify Dev Dashboard.' },
  'shopify.client_secret': { help: 'Le Client secret de cette application.' },
  'shopify.access_token': {
    help: 'Au lieu des deux : Admin API access token d’une application personnalisée créée dans la boutique ; il commence par « shpat_ ».',
  },
  'vendure.api_key': { help: 'Une API key (Vendure 3.6 et suivants).' },
  'vendure.username': { label: 'Nom d’utilisateur', help: 'Celui d’un administrateur, s’il n’y a pas d’API key.' },
  'vendure.password': { label: 'Mot de passe' },
  'walmart.client_id': { help: 'Client ID des clés de production dans le Developer Portal du Seller Center.' },
  'walmart.client_secret': { help: 'Le Client secret correspondant.' },
  'woocommerce.consumer_key': { help: 'Commence par ck_.' },
  'woocommerce.consumer_secret': { help: 'Commence par cs_.' },
  'magento.access_token': {
    help: 'Celui de l’intégration. Sans les trois autres clés, il ne vaut que si la boutique autorise « access tokens as standalone bearer tokens » (Stores → Configuration → Services → OAuth), ce qui est désactivé depuis Magento 2.4.4.',
  },
  'magento.access_token_secret': { help: 'Avec la Consumer key : les requêtes sont alors signées.' },
  'magento.ims_client_id': {
    help: 'Pour le Cloud Service d’Adobe : celui de l’identifiant « OAuth Server-to-Server » dans l’Adobe Developer Console.',
  },
  'magento.ims_org_id': { help: 'L’organisation : …@AdobeOrg.' },
  'prestashop.webservice_key': { help: '32 lettres et chiffres.' },
  'squarespace.api_key': { help: 'Une clé avec les autorisations Orders, Inventory et Products.' },
  'tiktok_shop.app_key': { help: 'App key de l’application personnalisée (custom app).' },
  'tiktok_shop.app_secret': { help: 'App secret de l’application personnalisée (custom app).' },
  'tiktok_shop.refresh_token': { help: 'Le Refresh token obtenu lors de l’autorisation par la boutique.' },
  'wix.api_key': { help: 'Une API key du compte auquel appartient le site.' },
}
