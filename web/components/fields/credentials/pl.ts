import type { FieldTexts } from '../index.ts'

/** Keys are called what the pages of their platforms call them, so that they are found there. */
export const credentials: FieldTexts = {
  'amazon.client_id': { help: 'LWA client ID prywatnej aplikacji.' },
  'amazon.client_secret': { help: 'LWA client secret prywatnej aplikacji.' },
  'amazon.refresh_token': { help: 'Refresh token, który Seller Central pokazuje po wybraniu „Authorize”.' },
  'medusa.secret_key': { help: 'Secret API key, który zaczyna się od sk_.' },
  'sandbox.api_key': { help: 'Działa każdy klucz oprócz tych, które zaczynają się od „bad”.' },
  'bigcommerce.access_token': { help: 'Access token konta „Store-level API account”.' },
  'shopify.client_id': { help: 'Client ID Twojej własnej aplikacji w Shopify Dev Dashboard.' },
  'shopify.client_secret': { help: 'Client secret tej aplikacji.' },
  'shopify.access_token': {
    help: 'Zamiast obu: Admin API access token własnej aplikacji utworzonej w sklepie; zaczyna się od „shpat_”.',
  },
  'vendure.api_key': { help: 'API key (od Vendure 3.6).' },
  'vendure.username': { label: 'Nazwa użytkownika', help: 'Nazwa administratora, jeśli nie ma API key.' },
  'vendure.password': { label: 'Hasło' },
  'walmart.client_id': { help: 'Client ID kluczy produkcyjnych w Developer Portal w Seller Center.' },
  'walmart.client_secret': { help: 'Client secret tych kluczy.' },
  'woocommerce.consumer_key': { help: 'Zaczyna się od ck_.' },
  'woocommerce.consumer_secret': { help: 'Zaczyna się od cs_.' },
  'magento.access_token': {
    help: 'Token integracji. Bez trzech pozostałych kluczy działa tylko tam, gdzie sklep zezwala na „access tokens as standalone bearer tokens” (Stores → Configuration → Services → OAuth), co od Magento 2.4.4 jest wyłączone.',
  },
  'magento.access_token_secret': { help: 'Razem z Consumer key: zapytania są wtedy podpisywane.' },
  'magento.ims_client_id': {
    help: 'Do Cloud Service firmy Adobe: z danych dostępowych „OAuth Server-to-Server” w Adobe Developer Console.',
  },
  'magento.ims_org_id': { help: 'Organizacja: …@AdobeOrg.' },
  'prestashop.webservice_key': { help: '32 litery i cyfry.' },
  'squarespace.api_key': { help: 'Klucz z uprawnieniami Orders, Inventory i Products.' },
  'tiktok_shop.app_key': { help: 'App key własnej aplikacji (custom app).' },
  'tiktok_shop.app_secret': { help: 'App secret własnej aplikacji (custom app).' },
  'tiktok_shop.refresh_token': { help: 'Refresh token uzyskany przy autoryzacji przez sklep.' },
  'wix.api_key': { help: 'API key konta, do którego należy witryna.' },
}
