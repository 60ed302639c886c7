import type { FieldTexts } from '../index.ts'

/** Keys are called what the pages of their platforms call them, so that they are found there. */
export const credentials: FieldTexts = {
  'amazon.client_id': { help: 'LWA client ID de la aplicación privada.' },
  'amazon.client_secret': { help: 'LWA client secret de la aplicación privada.' },
  'amazon.refresh_token': { help: 'El Refresh token que Seller Central muestra tras «Authorize».' },
  'medusa.secret_key': { help: 'Una Secret API key, que empieza por sk_.' },
  'sandbox.api_key': { help: 'Sirve cualquier clave, salvo las que empiezan por «bad».' },
  'bigcommerce.access_token': { help: 'Access token de una «Store-level API account».' },
  'shopify.client_id': { help: 'Client ID de su propia aplicación en el Shopify Dev Dashboard.' },
  'shopify.client_secret': { help: 'El Client secret de esa aplicación.' },
  'shopify.access_token': {
    help: 'En lugar de ambos: Admin API access token de una aplicación personalizada creada en la tienda; empieza por «shpat_».',
  },
  'vendure.api_key': { help: 'Una API key (desde Vendure 3.6).' },
  'vendure.username': { label: 'Nombre de usuario', help: 'El de un administrador, si no hay API key.' },
  'vendure.password': { label: 'Contraseña' },
  'walmart.client_id': { help: 'Client ID de las claves de producción en el Developer Portal del Seller Center.' },
  'walmart.client_secret': { help: 'El Client secret correspondiente.' },
  'woocommerce.consumer_key': { help: 'Empieza por ck_.' },
  'woocommerce.consumer_secret': { help: 'Empieza por cs_.' },
  'magento.access_token': {
    help: 'El de la integración. Sin las otras tres claves solo sirve si la tienda permite «access tokens as standalone bearer tokens» (Stores → Configuration → Services → OAuth), desactivado desde Magento 2.4.4.',
  },
  'magento.access_token_secret': { help: 'Con la Consumer key: en ese caso las peticiones se firman.' },
  'magento.ims_client_id': {
    help: 'Para el Cloud Service de Adobe: el de la credencial «OAuth Server-to-Server» de la Adobe Developer Console.',
  },
  'magento.ims_org_id': { help: 'La organización: …@AdobeOrg.' },
  'prestashop.webservice_key': { help: '32 letras y cifras.' },
  'squarespace.api_key': { help: 'Una clave con los permisos Orders, Inventory y Products.' },
  'tiktok_shop.app_key': { help: 'App key de la aplicación personalizada (custom app).' },
  'tiktok_shop.app_secret': { help: 'App secret de la aplicación personalizada (custom app).' },
  'tiktok_shop.refresh_token': { help: 'El Refresh token que se obtuvo con la autorización de la tienda.' },
  'wix.api_key': { help: 'Una API key de la cuenta a la que pertenece el sitio.' },
}
