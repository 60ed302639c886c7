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
  'page.your_software': 'le logiciel avec lequel vous l’utilisez',
  'page.connected_to': '{shop} et {app} sont maintenant connectés.',
  'page.not_let_in': '{shop} n’a pas autorisé l’accès, ou la connexion n’a pas été terminée à temps ({app}).',
  'page.connect_it': 'Connecter maintenant',
  'page.one_more_step': 'Encore une étape',
  'page.enter_code':
    '{shop} a autorisé l’accès ({app}). Pour le relier à votre compte là-bas, connectez-vous et saisissez ce code :',
  'page.continue_in': 'Continuer dans {app}',
  'page.code_once':
    'Le code fonctionne une fois, pendant dix minutes ; rouvrez l’application pour en obtenir un autre. D’ici là, rien n’est lu dans la boutique. Si personne ne saisit de code dans l’heure, l’accès est détruit.',
  'page.code_secret': 'Ne montrez le code à personne : qui l’a peut relier la boutique à son propre compte.',
  'page.done': 'C’est fait',
  'page.link_unusable': 'Ce lien ne fonctionne pas',
  'page.link_expired': 'Il a expiré, ou ce dont il s’agissait n’existe plus. La console montre toutes les alertes.',
  'link.mute': 'Couper les alertes',
  'link.mute_one': 'Pendant un jour, plus rien n’est envoyé à personne sur cette alerte. Elle reste dans la console.',
  'link.mute_several':
    'Pendant un jour, plus rien n’est envoyé à personne sur ces {alerts} alertes. Elles restent dans la console.',
  'link.mute_button': 'Couper pendant un jour',
  'link.muted': 'Coupé pendant un jour.',
  'link.stop': 'Arrêter les alertes',
  'link.stop_about': 'Plus aucune alerte n’est envoyée à {address}.',
  'link.stop_button': 'Arrêter',
  'link.stopped': 'Plus aucune alerte n’est envoyée à cette adresse.',
  'link.confirm': 'Recevoir les alertes',
  'link.confirm_about': 'Désormais, les alertes sont envoyées à {address}.',
  'link.confirm_button': 'M’envoyer les alertes',
  'link.confirmed': 'Désormais, les alertes sont envoyées à cette adresse.',
  'link.unsubscribe': 'Plus de lettres',
  'link.unsubscribe_about': 'Cette application ne vous envoie plus de lettres sur vos boutiques.',
  'link.unsubscribed': 'Vous ne recevrez plus ces lettres.',
}
