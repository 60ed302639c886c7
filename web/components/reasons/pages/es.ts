import type { ReasonWords } from '../index.ts'

/** Pages on the way to a platform and back. */
export const pages: ReasonWords = {
  'page.connect': 'Conectar una tienda',
  'page.shop': 'Tienda',
  'page.app': 'Aplicación',
  'page.account': 'Cuenta',
  'page.account_sees':
    'Esta cuenta verá los pedidos, los clientes y los productos de la tienda. Continúe solo si es la suya.',
  'page.app_sees':
    'Quien use esta aplicación verá los pedidos, los clientes y los productos de la tienda. Continúe solo si es usted.',
  'page.continue': 'Continuar a {service}',
  'page.not_begun':
    'Si no ha empezado esto usted, o no conoce la cuenta, cierre esta ventana: no se ha conectado nada.',
  'page.connected': 'Conexión establecida',
  'page.not_connected': 'Conexión no establecida',
  'page.is_connected': '{shop} está conectada[ a {account}][ en {app}].',
  'page.close': 'Puede cerrar esta ventana.',
  'page.go_back': 'Cierre esta ventana para volver e inténtelo allí de nuevo.',
}
