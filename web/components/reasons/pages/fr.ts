import type { ReasonWords } from '../index.ts'

/** Pages on the way to a platform and back. */
export const pages: ReasonWords = {
  'page.connect': 'Connecter une boutique',
  'page.shop': 'Boutique',
  'page.app': 'Application',
  'page.account': 'Compte',
  'page.account_sees':
    'Ce compte verra les commandes, les clients et les produits de la boutique. Ne continuez que si c’est le vôtre.',
  'page.app_sees':
    'Quiconque utilise cette application verra les commandes, les clients et les produits de la boutique. Ne continuez que si c’est vous.',
  'page.continue': 'Continuer vers {service}',
  'page.not_begun':
    'Si vous n’avez pas commencé cela vous-même, ou si vous ne connaissez pas le compte, fermez cette fenêtre : rien n’a été connecté.',
  'page.connected': 'Connexion établie',
  'page.not_connected': 'Connexion non établie',
  'page.is_connected': '{shop} est connectée[ à {account}][ dans {app}].',
  'page.close': 'Vous pouvez fermer cette fenêtre.',
  'page.go_back': 'Fermez cette fenêtre pour revenir, puis réessayez là-bas.',
}
