import type { FieldTexts } from '../index.ts'

const asked = 'La boutique est interrogée.'
const serverAsked = 'Le serveur est interrogé.'
const currency = 'Devise'
const administration = {
  label: 'Adresse de l’administration',
  help: 'L’adresse de l’administration de la boutique, pour les liens vers ses commandes (`admin_url`).',
}
const server = {
  label: 'Adresse complète du serveur',
  help: 'Là où le serveur répond, si ce n’est pas https:// suivi du nom de la boutique.',
}
const shop = {
  label: 'Adresse complète de la boutique',
  help: 'L’adresse de la boutique, si elle ne se réduit pas à son hôte : sous un chemin, sur un port ou sans TLS. Par défaut https et l’hôte seul.',
}
const header = 'L’hébergeur supprime l’en-tête Authorization'
const shippedBy = {
  label: 'Commandes expédiées par',
  help: 'Les commandes qui sont lues ; par défaut celles que le vendeur expédie lui-même.',
}
const samples = 'Utilise le bac à sable, qui répond par des exemples fixes.'

export const settings: FieldTexts = {
  'amazon.marketplace': {
    label: 'Place de marché',
    help: 'Le pays de la place de marché à laquelle appartiennent les offres et les stocks ; les commandes y sont lues.',
  },
  'amazon.fulfilled_by': { ...shippedBy, choices: { merchant: 'le vendeur', amazon: 'Amazon', all: 'tous' } },
  'amazon.buyer_data': {
    label: 'Lire les noms et adresses des acheteurs',
    help: 'Indique si les noms et adresses sont demandés, ce qui exige les rôles restreints (restricted roles). Oui par défaut.',
  },
  'amazon.sandbox': { label: 'Bac à sable d’Amazon', help: samples },
  'medusa.admin_address': administration,
  'medusa.base_url': server,
  'medusa.location_id': {
    label: 'ID de l’emplacement de stock',
    help: 'L’emplacement d’où partent les marchandises et où le stock est défini, lorsqu’aucun n’est indiqué.',
  },
  'medusa.follow_days': {
    label: 'Jours de comparaison des commandes',
    help: 'Combien de jours après avoir été passée une commande est comparée pour y trouver des paiements partiels ; 90 par défaut.',
  },
  'medusa.currency': {
    label: 'Devise des prix',
    help: `Le prix du produit qui est utilisé. ${serverAsked}`,
  },
  'shopify.notify_customers': {
    label: 'Shopify avertit les clients',
    help: 'Shopify écrit à l’acheteur quand des articles sont expédiés ou une commande annulée. Non par défaut.',
  },
  'shopify.wait_for_capture': {
    label: 'Attendre l’encaissement des paiements',
    help: 'Les commandes dont le paiement est autorisé attendent son encaissement. Non par défaut : en général, il est encaissé à l’expédition.',
  },
  'shopify.send_unpaid': {
    label: 'Expédier les commandes en attente de paiement',
    help: 'Les commandes en attente de paiement peuvent être expédiées : vente sur facture ou paiement à la livraison. Non par défaut.',
  },
  'shopify.refund_cancelled': {
    label: 'Rembourser les commandes annulées',
    help: 'Une commande annulée est remboursée par le moyen qui a servi à la payer. Non par défaut.',
  },
  'vendure.admin_address': administration,
  'vendure.base_url': server,
  'vendure.admin_api_path': {
    label: 'Chemin de l’Admin API',
    help: 'Sous l’adresse du serveur ; admin-api par défaut.',
  },
  'vendure.channel_token': {
    label: 'Jeton du canal',
    help: 'Le canal du serveur (channel token) ; par défaut, celui que le serveur prévoit.',
  },
  'vendure.page_size': {
    label: 'Enregistrements par requête',
    help: 'Combien d’enregistrements sont demandés à la fois ; 100 par défaut. Pas plus que l’adminListQueryLimit du serveur.',
  },
  'vendure.follow_days': {
    label: 'Jours de suivi des commandes',
    help: 'Combien de jours après avoir été passée une commande expédiée est encore suivie ; 90 par défaut.',
  },
  'vendure.settle_on_shipping': {
    label: 'Encaisser les paiements à l’expédition',
    help: 'Indique si les paiements autorisés sont encaissés avant l’expédition ; oui par défaut.',
  },
  'vendure.fulfillment_handler': {
    label: 'Gestionnaire d’expédition',
    help: 'Le code du gestionnaire (fulfillment handler) ; manual-fulfillment par défaut.',
  },
  'vendure.money_precision': {
    label: 'Décimales des montants',
    help: `Décimales des montants donnés en nombres entiers. ${serverAsked}`,
  },
  'vendure.currency': { label: currency, help: `Celle du canal. ${serverAsked}` },
  'vendure.language': { label: 'Langue', help: `Celle du canal. ${serverAsked}` },
  'walmart.fulfilled_by': {
    ...shippedBy,
    choices: { seller: 'le vendeur', walmart: 'Walmart', third_party: 'un tiers', all: 'tous' },
  },
  'walmart.tracking_url': {
    label: 'Adresse du suivi des colis',
    help: 'Là où sont suivis les colis des transporteurs que Walmart ne connaît pas ; {number} est le numéro de suivi.',
  },
  'walmart.sandbox': { label: 'Bac à sable de Walmart', help: samples },
  'woocommerce.base_url': {
    label: 'Adresse complète du site',
    help: 'L’adresse du site, si elle ne se réduit pas à son hôte : sous un chemin, sur un port ou sans TLS. Par défaut https et l’hôte seul.',
  },
  'woocommerce.keys_in_query': {
    label: header,
    help: 'Pour les hébergeurs qui suppriment l’en-tête Authorization : les clés passent dans l’adresse de la requête, envoyée uniquement par https.',
  },
  'woocommerce.shipped_status': {
    label: 'Statut des commandes expédiées',
    help: 'Le statut que reçoit une commande une fois entièrement expédiée, sans « wc- » ; « completed » par défaut.',
  },
  'woocommerce.refund_payments': {
    label: 'Verser les remboursements',
    help: 'Les remboursements sont versés par la passerelle de paiement de la commande ; oui par défaut. Sinon, ils sont seulement notés.',
  },
  'woocommerce.plain_permalinks': {
    label: 'Permaliens simples',
    help: 'Pour les sites dont les permaliens sont réglés sur « Simple » (Plain) : l’interface est interrogée à une autre adresse. Détecté automatiquement.',
  },
  'magento.admin_address': administration,
  'magento.base_url': shop,
  'magento.store_code': {
    label: 'Code de la vue de boutique',
    help: 'La vue de boutique (store view) dont les données sont lues ; toutes par défaut.',
  },
  'magento.source_code': {
    label: 'Code de la source de stock',
    help: 'La source où le stock est défini et d’où partent les colis, sauf indication contraire ; « default » par défaut.',
  },
  'magento.attribute_set_id': {
    label: 'Jeu d’attributs des nouveaux produits',
    help: 'Celui des produits qui sont créés ; 4 par défaut.',
  },
  'magento.stock': {
    label: 'Sources de stock',
    help: 'Indique s’il y a plusieurs sources. Sans réponse, la boutique est interrogée.',
    choices: { sources: 'plusieurs', single: 'une seule' },
  },
  'magento.levels_count': {
    label: 'Ce que comptent les stocks',
    help: 'Ce que comptent les stocks définis : ce qui peut être vendu, auquel s’ajoute ce que réservent les commandes ouvertes ; ou ce qui se trouve dans l’entrepôt. Par défaut, ce qui peut être vendu.',
    choices: { available: 'ce qui peut être vendu', on_hand: 'ce qui se trouve dans l’entrepôt' },
  },
  'magento.notify_customers': {
    label: 'La boutique avertit les clients',
    help: 'Indique si la boutique écrit à l’acheteur au sujet des colis et des remboursements, quand une demande n’en dit rien ; oui par défaut.',
  },
  'magento.currency': { label: currency, help: `Celle des prix des produits. ${asked}` },
  'magento.weight_unit': { label: 'Unité de poids', help: asked, choices: { kgs: 'kg', lbs: 'lb' } },
  'magento.media_url': { label: 'Adresse des images', help: `Là où se trouvent les images. ${asked}` },
  'prestashop.admin_address': administration,
  'prestashop.base_url': shop,
  'prestashop.key_in_query': {
    label: header,
    help: 'Pour les hébergeurs qui suppriment l’en-tête Authorization : la clé passe alors dans l’adresse de la requête.',
  },
  'prestashop.id_shop': {
    label: 'ID de la boutique',
    help: 'Laquelle des boutiques d’une même installation ; par défaut, celle que l’installation prévoit.',
  },
  'prestashop.id_shop_group': {
    label: 'ID du groupe de boutiques',
    help: `Le groupe de cette boutique, dont les boutiques peuvent partager leur stock. ${asked}`,
  },
  'prestashop.timezone': { label: 'Fuseau horaire', help: `Celui des heures de la boutique. ${asked}` },
  'prestashop.currency': { label: currency, help: `Celle des prix des produits. ${asked}` },
  'prestashop.language': { label: 'ID de la langue', help: `Celle des textes qui sont lus. ${asked}` },
  'prestashop.weight_unit': { label: 'Unité de poids', help: asked },
  'prestashop.state_canceled': {
    label: 'État : annulée',
    help: 'Son état pour les commandes annulées. La boutique est interrogée sur les sept états.',
  },
  'prestashop.state_refunded': { label: 'État : remboursée', help: 'Son état pour les commandes remboursées.' },
  'prestashop.state_failed': { label: 'État : paiement échoué', help: 'Son état pour les paiements qui ont échoué.' },
  'prestashop.state_shipped': { label: 'État : expédiée', help: 'Son état pour les commandes qui sont parties.' },
  'prestashop.state_delivered': { label: 'État : livrée', help: 'Son état pour les commandes qui sont arrivées.' },
  'prestashop.state_backorder_paid': {
    label: 'État : en réapprovisionnement, payée',
    help: 'Son état pour les commandes payées dont les articles doivent d’abord arriver.',
  },
  'prestashop.state_backorder_unpaid': {
    label: 'État : en réapprovisionnement, impayée',
    help: 'La même chose pour les commandes qui n’ont pas été payées.',
  },
  'ebay.environment': {
    label: 'Environnement d’eBay',
    help: 'Là où le vendeur est inscrit ; par défaut, la vraie place de marché.',
    choices: { production: 'vraie place de marché', sandbox: 'bac à sable' },
  },
  'ebay.listings': {
    label: 'Où se trouvent les annonces',
    help: 'Ce que sont les produits et les stocks : des articles de l’Inventory API (par défaut) ou des annonces créées autrement, par exemple dans le Seller Hub.',
    choices: { inventory_api: 'Inventory API', seller_hub: 'Seller Hub' },
  },
  'squarespace.notify_customers': {
    label: 'Squarespace avertit les clients',
    help: 'Squarespace écrit à l’acheteur quand une commande est expédiée. Non par défaut.',
  },
  'tiktok_shop.market': {
    label: 'Où le vendeur est inscrit',
    help: 'Les vendeurs des États-Unis donnent leur accord sur des pages à part ; ailleurs par défaut.',
    choices: { us: 'États-Unis', elsewhere: 'ailleurs' },
  },
}
