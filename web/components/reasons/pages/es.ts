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
  'page.your_software': 'el software con el que la usa',
  'page.connected_to': 'Ya están conectados {shop} y {app}.',
  'page.not_let_in': '{shop} no ha permitido el acceso, o la conexión no se terminó a tiempo ({app}).',
  'page.connect_it': 'Conectar ahora',
  'page.one_more_step': 'Un paso más',
  'page.enter_code':
    '{shop} ha permitido el acceso ({app}). Para unirla a su cuenta allí, inicie sesión e introduzca este código:',
  'page.continue_in': 'Continuar en {app}',
  'page.code_once':
    'El código sirve una vez, durante diez minutos; abra de nuevo la aplicación para obtener otro. Hasta entonces no se lee nada de la tienda. Si nadie introduce un código en una hora, el acceso se destruye.',
  'page.code_secret': 'No enseñe el código a nadie: quien lo tenga puede conectar la tienda a su propia cuenta.',
  'page.done': 'Hecho',
  'page.link_unusable': 'Este enlace no funciona',
  'page.link_expired': 'Ha caducado, o aquello de lo que trataba ya no existe. La consola muestra todas las alertas.',
  'link.mute': 'Silenciar alertas',
  'link.mute_one': 'Durante un día no se envía a nadie nada más sobre esta alerta. Sigue en la consola.',
  'link.mute_several':
    'Durante un día no se envía a nadie nada más sobre estas {alerts} alertas. Siguen en la consola.',
  'link.mute_button': 'Silenciar un día',
  'link.muted': 'Silenciado durante un día.',
  'link.stop': 'Dejar de enviar alertas',
  'link.stop_about': 'Ya no se envían alertas a {address}.',
  'link.stop_button': 'Dejar de enviar',
  'link.stopped': 'Ya no se envían alertas a esta dirección.',
  'link.confirm': 'Recibir alertas',
  'link.confirm_about': 'Desde ahora las alertas se envían a {address}.',
  'link.confirm_button': 'Envíenme alertas',
  'link.confirmed': 'Desde ahora las alertas se envían a esta dirección.',
  'link.unsubscribe': 'No más cartas',
  'link.unsubscribe_about': 'Esta aplicación ya no le envía cartas sobre sus tiendas.',
  'link.unsubscribed': 'Ya no recibirá estas cartas.',
}
