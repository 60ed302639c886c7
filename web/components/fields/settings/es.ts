import type { FieldTexts } from '../index.ts'

const asked = 'Se pregunta a la tienda.'
const serverAsked = 'Se pregunta al servidor.'
const currency = 'Moneda'
const administration = {
  label: 'Dirección de la administración',
  help: 'La dirección de la administración de la tienda, para los enlaces a sus pedidos (`admin_url`).',
}
const server = {
  label: 'Dirección completa del servidor',
  help: 'Dónde responde el servidor, si no es https:// y el nombre de la tienda.',
}
const shop = {
  label: 'Dirección completa de la tienda',
  help: 'La dirección de la tienda, si es más que su host: bajo una ruta, en un puerto o sin TLS. Por defecto, https y solo el host.',
}
const header = 'El alojamiento elimina la cabecera Authorization'
const shippedBy = {
  label: 'Pedidos enviados por',
  help: 'Qué pedidos se leen; por defecto, los que envía el propio vendedor.',
}
const samples = 'Usa el entorno de pruebas, que responde con ejemplos fijos.'

export const settings: FieldTexts = {
  'amazon.marketplace': {
    label: 'Mercado',
    help: 'El país del mercado al que pertenecen las ofertas y las existencias; de allí se leen los pedidos.',
  },
  'amazon.fulfilled_by': { ...shippedBy, choices: { merchant: 'el vendedor', amazon: 'Amazon', all: 'todos' } },
  'amazon.buyer_data': {
    label: 'Leer nombres y direcciones de los compradores',
    help: 'Si se piden nombres y direcciones; requiere los roles restringidos (restricted roles). Sí por defecto.',
  },
  'amazon.sandbox': { label: 'Entorno de pruebas de Amazon', help: samples },
  'medusa.admin_address': administration,
  'medusa.base_url': server,
  'medusa.location_id': {
    label: 'ID de la ubicación de existencias',
    help: 'La ubicación desde la que se envía y en la que se fijan las existencias, si no se indica ninguna.',
  },
  'medusa.follow_days': {
    label: 'Días en que se comparan los pedidos',
    help: 'Cuántos días después de hacerse se compara un pedido por si hay pagos parciales; 90 por defecto.',
  },
  'medusa.currency': { label: 'Moneda de los precios', help: `Qué precio del producto se usa. ${serverAsked}` },
  'shopify.notify_customers': {
    label: 'Shopify avisa a los clientes',
    help: 'Shopify escribe al comprador cuando se envían artículos o se cancela un pedido. No por defecto.',
  },
  'shopify.wait_for_capture': {
    label: 'Esperar a que se cobren los pagos',
    help: 'Los pedidos cuyo pago está autorizado esperan a que se cobre. No por defecto: por lo general se cobra al enviarlos.',
  },
  'shopify.send_unpaid': {
    label: 'Enviar pedidos con el pago pendiente',
    help: 'Los pedidos con el pago pendiente pueden enviarse: vendidos a cuenta o contra reembolso. No por defecto.',
  },
  'shopify.refund_cancelled': {
    label: 'Reembolsar los pedidos cancelados',
    help: 'Un pedido cancelado se reembolsa por el mismo medio con que se pagó. No por defecto.',
  },
  'vendure.admin_address': administration,
  'vendure.base_url': server,
  'vendure.admin_api_path': {
    label: 'Ruta de la Admin API',
    help: 'Bajo la dirección del servidor; admin-api por defecto.',
  },
  'vendure.channel_token': {
    label: 'Token del canal',
    help: 'Qué canal del servidor (channel token); por defecto, el predeterminado.',
  },
  'vendure.page_size': {
    label: 'Registros por petición',
    help: 'Cuántos registros se piden de una vez; 100 por defecto. No más que el adminListQueryLimit del servidor.',
  },
  'vendure.follow_days': {
    label: 'Días en que se siguen los pedidos',
    help: 'Cuántos días después de hacerse se revisa un pedido enviado por si cambia; 90 por defecto.',
  },
  'vendure.settle_on_shipping': {
    label: 'Cobrar los pagos al enviar',
    help: 'Si los pagos autorizados se cobran antes del envío; sí por defecto.',
  },
  'vendure.fulfillment_handler': {
    label: 'Gestor de envíos',
    help: 'El código del gestor (fulfillment handler); manual-fulfillment por defecto.',
  },
  'vendure.money_precision': {
    label: 'Decimales de los importes',
    help: `Decimales de los importes dados en números enteros. ${serverAsked}`,
  },
  'vendure.currency': { label: currency, help: `La del canal. ${serverAsked}` },
  'vendure.language': { label: 'Idioma', help: `El del canal. ${serverAsked}` },
  'walmart.fulfilled_by': {
    ...shippedBy,
    choices: { seller: 'el vendedor', walmart: 'Walmart', third_party: 'un tercero', all: 'todos' },
  },
  'walmart.tracking_url': {
    label: 'Dirección del seguimiento de envíos',
    help: 'Dónde se siguen los paquetes de transportistas que Walmart no conoce; {number} es el número de seguimiento.',
  },
  'walmart.sandbox': { label: 'Entorno de pruebas de Walmart', help: samples },
  'woocommerce.base_url': {
    label: 'Dirección completa del sitio',
    help: 'La dirección del sitio, si es más que su host: bajo una ruta, en un puerto o sin TLS. Por defecto, https y solo el host.',
  },
  'woocommerce.keys_in_query': {
    label: header,
    help: 'Para alojamientos que eliminan la cabecera Authorization: las claves van en la dirección de la petición, que solo se envía por https.',
  },
  'woocommerce.shipped_status': {
    label: 'Estado de los pedidos enviados',
    help: 'El estado que recibe un pedido cuando se ha enviado por completo, sin «wc-»; «completed» por defecto.',
  },
  'woocommerce.refund_payments': {
    label: 'Pagar los reembolsos',
    help: 'Los reembolsos los paga la pasarela de pago del pedido; sí por defecto. Si no, solo se anotan.',
  },
  'woocommerce.plain_permalinks': {
    label: 'Enlaces permanentes simples',
    help: 'Para sitios cuyos enlaces permanentes están en «Simple» (Plain): la interfaz se consulta en otra dirección. Se detecta automáticamente.',
  },
  'magento.admin_address': administration,
  'magento.base_url': shop,
  'magento.store_code': {
    label: 'Código de la vista de tienda',
    help: 'La vista de tienda (store view) cuyos datos se leen; todas por defecto.',
  },
  'magento.source_code': {
    label: 'Código de la fuente de existencias',
    help: 'La fuente en la que se fijan las existencias y de la que salen los paquetes, si no se indica otra cosa; «default» por defecto.',
  },
  'magento.attribute_set_id': {
    label: 'Conjunto de atributos de los productos nuevos',
    help: 'El de los productos que se crean; 4 por defecto.',
  },
  'magento.stock': {
    label: 'Fuentes de existencias',
    help: 'Si hay varias fuentes. Si no se indica, se pregunta a la tienda.',
    choices: { sources: 'varias', single: 'una sola' },
  },
  'magento.levels_count': {
    label: 'Qué cuentan las existencias',
    help: 'Qué cuentan las existencias que se fijan: lo que puede venderse, a lo que se suma lo que reservan los pedidos abiertos; o lo que hay en el almacén. Por defecto, lo que puede venderse.',
    choices: { available: 'lo que puede venderse', on_hand: 'lo que hay en el almacén' },
  },
  'magento.notify_customers': {
    label: 'La tienda avisa a los clientes',
    help: 'Si la tienda escribe al comprador sobre paquetes y reembolsos cuando una petición no lo indica; sí por defecto.',
  },
  'magento.currency': { label: currency, help: `La de los precios de los productos. ${asked}` },
  'magento.weight_unit': { label: 'Unidad de peso', help: asked, choices: { kgs: 'kg', lbs: 'lb' } },
  'magento.media_url': { label: 'Dirección de las imágenes', help: `Dónde están las imágenes. ${asked}` },
  'prestashop.admin_address': administration,
  'prestashop.base_url': shop,
  'prestashop.key_in_query': {
    label: header,
    help: 'Para alojamientos que eliminan la cabecera Authorization: la clave va en la dirección de la petición.',
  },
  'prestashop.id_shop': {
    label: 'ID de la tienda',
    help: 'Cuál de las tiendas de una misma instalación; por defecto, la predeterminada.',
  },
  'prestashop.id_shop_group': {
    label: 'ID del grupo de tiendas',
    help: `El grupo de esa tienda, cuyas tiendas pueden compartir sus existencias. ${asked}`,
  },
  'prestashop.timezone': { label: 'Zona horaria', help: `La de las horas de la tienda. ${asked}` },
  'prestashop.currency': { label: currency, help: `La de los precios de los productos. ${asked}` },
  'prestashop.language': { label: 'ID del idioma', help: `El de los textos que se leen. ${asked}` },
  'prestashop.weight_unit': { label: 'Unidad de peso', help: asked },
  'prestashop.state_canceled': {
    label: 'Estado: cancelado',
    help: 'Su estado para los pedidos cancelados. Se pregunta a la tienda por los siete.',
  },
  'prestashop.state_refunded': { label: 'Estado: reembolsado', help: 'Su estado para los pedidos reembolsados.' },
  'prestashop.state_failed': { label: 'Estado: pago fallido', help: 'Su estado para los pagos que han fallado.' },
  'prestashop.state_shipped': { label: 'Estado: enviado', help: 'Su estado para los pedidos que han salido.' },
  'prestashop.state_delivered': { label: 'Estado: entregado', help: 'Su estado para los pedidos que han llegado.' },
  'prestashop.state_backorder_paid': {
    label: 'Estado: pendiente de existencias, pagado',
    help: 'Su estado para los pedidos pagados cuyos artículos tienen que llegar antes.',
  },
  'prestashop.state_backorder_unpaid': {
    label: 'Estado: pendiente de existencias, sin pagar',
    help: 'Lo mismo para los pedidos que no se han pagado.',
  },
  'ebay.environment': {
    label: 'Entorno de eBay',
    help: 'Dónde está registrado el vendedor; por defecto, el mercado real.',
    choices: { production: 'mercado real', sandbox: 'entorno de pruebas' },
  },
  'ebay.listings': {
    label: 'Dónde están los anuncios',
    help: 'Qué son los productos y las existencias: artículos de la Inventory API (por defecto) o anuncios creados de otra forma, por ejemplo en el Seller Hub.',
    choices: { inventory_api: 'Inventory API', seller_hub: 'Seller Hub' },
  },
  'squarespace.notify_customers': {
    label: 'Squarespace avisa a los clientes',
    help: 'Squarespace escribe al comprador cuando se envía un pedido. No por defecto.',
  },
  'tiktok_shop.market': {
    label: 'Dónde está registrado el vendedor',
    help: 'Los vendedores de Estados Unidos dan su consentimiento en páginas propias; por defecto, en otro país.',
    choices: { us: 'Estados Unidos', elsewhere: 'otro país' },
  },
}
